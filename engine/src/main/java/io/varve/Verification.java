package io.varve;

import java.util.List;

/// What a verification of a store found.
///
/// @param problems one sentence per finding, naming file, offset and page; empty for a sound store
/// @param spaces spaces read
/// @param pages pages read
/// @param entries entries read
/// @param liveBytes bytes of the page file that live pages and values take
/// @param freeBytes bytes of the page file that are free or wait to become free
/// @since 1.0
public record Verification(
    List<String> problems, long spaces, long pages, long entries, long liveBytes, long freeBytes) {
  /// Copies the list.
  public Verification {
    problems = List.copyOf(problems);
  }

  /// Whether nothing was found.
  public boolean isSound() {
    return problems.isEmpty();
  }

  /// Throws what was found, if anything was.
  ///
  /// @throws CorruptStoreException if there are problems
  public void requireSound() {
    if (!isSound()) {
      throw new CorruptStoreException(
          "verification found " + problems.size() + " problems; first: " + problems.getFirst());
    }
  }
}
