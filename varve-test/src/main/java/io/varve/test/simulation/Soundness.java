package io.varve.test.simulation;

import io.varve.Statistics;
import io.varve.Store;
import io.varve.Verification;

/// What must be so of every store that no thread uses: it is sound, its accounts of space are those
/// of a scan, and its file is not much longer than what is live.
final class Soundness {
  /// What a page file may have beyond twice what is live, in addition to one checkpoint: below 16
  /// MiB of free space a store does not compact automatically, and it returns a tail from 8 MiB on.
  private static final long SLACK_BYTES = 24L << 20;

  /// The same right after a compaction, apart from large values: units at the start that are never
  /// given out, and two catalogs with what the checkpoint before reaches.
  private static final long COMPACTED_SLACK_BYTES = 1L << 20;

  /// Large values, or their chunks, stay where they are while no run of free units below is long
  /// enough for them: so there may be some pieces of free space as long as the longest.
  private static final int PIECES_MAX = 4;

  private Soundness() {}

  /// @param budgets of the store since it was opened
  static void require(Store store, Budgets budgets) {
    Verification verification = store.verify();
    verification.requireSound();
    Statistics statistics = store.statistics();
    long bytesMax = bytesMax(store, verification);
    requireShort(statistics, bytesMax, "size of the page file");
    long allBytesMax = bytesMax + budgets.beyondPagesMax();
    if (statistics.disk().usedBytes() > allBytesMax) {
      throw new AssertionError(
          "size of all files is out of bounds: diskBytes=%d, bytesMax=%d"
              .formatted(statistics.disk().usedBytes(), allBytesMax));
    }
  }

  /// Whether the page file is as short as it must be at last.
  static boolean isShort(Store store) {
    return store.statistics().disk().pageFileBytes() <= bytesMax(store, store.verify());
  }

  /// Dirty pages never take more than the cache, so neither does what a checkpoint writes.
  private static long bytesMax(Store store, Verification verification) {
    long budgetBytes = store.statistics().cache().budgetBytes();
    return 2 * verification.liveBytes() + budgetBytes + SLACK_BYTES;
  }

  /// Compacts, and requires as much and more.
  ///
  /// @param valueBytesMax the length of the longest value
  static void requireCompacted(Store store, int valueBytesMax) {
    store.compact();
    Verification verification = store.verify();
    verification.requireSound();
    requireShort(
        store.statistics(),
        2 * verification.liveBytes() + COMPACTED_SLACK_BYTES + PIECES_MAX * (long) valueBytesMax,
        "size of the page file after a compaction");
  }

  private static void requireShort(Statistics statistics, long bytesMax, String what) {
    if (statistics.disk().pageFileBytes() > bytesMax) {
      throw new AssertionError(
          "%s is out of bounds: fileBytes=%d, bytesMax=%d, freeBytes=%d"
              .formatted(
                  what,
                  statistics.disk().pageFileBytes(),
                  bytesMax,
                  statistics.disk().freeBytes()));
    }
  }
}
