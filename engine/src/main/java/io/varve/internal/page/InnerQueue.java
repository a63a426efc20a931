package io.varve.internal.page;

import org.jspecify.annotations.Nullable;

/// The clean inner pages in memory. They leave in the order in which they came, but those that were
/// used since, up to [#USES_MAX] times, pass as many rounds.
///
/// (I1) One with a child in memory stays: without it nobody could find the child.
///
/// Guarded by the lock of the cache, but for [#used(Inner)].
final class InnerQueue {
  private static final int USES_MAX = 3;

  private final PageQueue<Inner> queue = new PageQueue<>();

  /// Notes a search that passes an inner node. Takes no lock; a lost update costs little.
  static void used(Inner inner) {
    if (inner.uses < USES_MAX) {
      inner.uses++;
    }
  }

  void add(Inner inner) {
    queue.add(inner);
  }

  void remove(Inner inner) {
    queue.remove(inner);
  }

  long bytes() {
    return queue.bytes();
  }

  /// Looks at the first few and takes out one that is not used.
  ///
  /// @param looks how many to look at, at most
  /// @return null if all of them stay
  @Nullable Inner evictUnused(int looks) {
    for (int i = 0; i < looks; i++) {
      Inner inner = queue.poll();
      if (inner == null) {
        return null;
      }
      if (inner.uses == 0 && !hasChildInMemory(inner)) {
        return inner;
      }
      inner.uses = (byte) Math.max(0, inner.uses - 1);
      queue.add(inner);
    }
    return null;
  }

  /// Takes out the first that may leave, used or not.
  ///
  /// @return null if none may
  @Nullable Inner evictAny() {
    for (int i = queue.size(); i > 0; i--) {
      Inner inner = queue.poll();
      if (inner == null || !hasChildInMemory(inner)) {
        return inner;
      }
      queue.add(inner);
    }
    return null;
  }

  /// Whether a child is in memory; of the others, the nodes go.
  private static boolean hasChildInMemory(Inner inner) {
    Branches branches = inner.branches();
    return branches != null && branches.forgetAbsent();
  }
}
