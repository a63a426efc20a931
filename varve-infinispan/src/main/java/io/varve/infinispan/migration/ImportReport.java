package io.varve.infinispan.migration;

import java.util.List;

/// What an import did.
///
/// @param cache the name of the cache
/// @param source the kind of store that its entries came from
/// @param entries that the cache has in Varve now
/// @param valueBytes of these, as marshalled
/// @param skipped what was left out since it could not be read, in words; at most
///   [#SKIPPED_NAMED_MAX] of them
/// @param skippedCount how many were left out
public record ImportReport(
    String cache,
    String source,
    long entries,
    long valueBytes,
    List<String> skipped,
    long skippedCount) {
  /// Of what is left out so much is named.
  public static final int SKIPPED_NAMED_MAX = 20;

  /// Copies the list.
  public ImportReport {
    skipped = List.copyOf(skipped);
  }
}
