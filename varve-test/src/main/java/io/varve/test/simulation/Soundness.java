package io.varve.test.simulation;

import io.varve.Statistics;
import io.varve.Store;
import io.varve.Verification;

/// What must be so of every store that nobody uses at the moment: it is sound, its accounts of
/// space are those of a scan, and its file is not much longer than what is live.
final class Soundness {
  /// What a page file may have beyond twice what is live, besides one checkpoint: below 16 MiB of
  /// free space a store does not compact by itself, and it gives back a tail from 8 MiB on.
  private static final long SLACK_BYTES = 24L << 20;

  /// The same right after a compaction: units at the start that are never given out, two catalogs
  /// with what the checkpoint before reaches, and large values, of up to 200,000 bytes here, that
  /// lie where no run of free units below is long enough for them.
  private static final long COMPACTED_SLACK_BYTES = 1L << 20;

  private Soundness() {}

  static void require(Store store) {
    Verification verification = store.verify();
    verification.requireSound();
    Statistics statistics = store.statistics();
    // Dirty pages never take more than the cache, so neither does what a checkpoint writes.
    requireShort(
        statistics,
        2 * verification.liveBytes() + statistics.cacheBytesMax() + SLACK_BYTES,
        "size of the page file");
  }

  /// Compacts, and requires as much and more.
  static void requireCompacted(Store store) {
    store.compact();
    Verification verification = store.verify();
    verification.requireSound();
    requireShort(
        store.statistics(),
        2 * verification.liveBytes() + COMPACTED_SLACK_BYTES,
        "size of the page file after a compaction");
  }

  private static void requireShort(Statistics statistics, long bytesMax, String what) {
    if (statistics.fileBytes() > bytesMax) {
      throw new AssertionError(
          "%s is out of bounds: fileBytes=%d, bytesMax=%d, freeBytes=%d"
              .formatted(what, statistics.fileBytes(), bytesMax, statistics.freeBytes()));
    }
  }
}
