package io.varve.test.simulation;

import io.varve.StoreOptions;
import io.varve.test.SimulatedThreads;
import java.util.SplittableRandom;

/// How much log, cache and data there is in a history. Mostly little of each, so that a short
/// history meets what a long one would; now and then up to 64 times as much of any of them.
///
/// @param cacheLog2 of the cache, in MiB
/// @param logLog2Max of the most log of an open, in MiB
/// @param keyCount keys of each ordinary space, about
/// @param bulkBytes what is loaded in addition, or 0
/// @param bulkValueBytes of each value of that
/// @param contended whether all threads use the same few keys, most of the time
/// @param keepsLog whether the log goes to the backups
record Sizes(
    int cacheLog2,
    int logLog2Max,
    int keyCount,
    long bulkBytes,
    int bulkValueBytes,
    boolean contended,
    boolean keepsLog) {
  /// The most log that a single commit of a simulation takes.
  static final int COMMIT_BYTES_MAX = 1 << 20;

  private static final int MIB_LOG2_MAX = 6;
  private static final int BULK_ENTRIES_MAX = 40_000;

  /// How often one of the three is larger than the least.
  private static final int LARGE_SHARE = 6;

  /// In one history of so many, threads meet at a few keys.
  private static final int CONTENDED_SHARE = 4;

  private static final int CONTENDED_KEYS_MAX = 20;

  /// One history in so many keeps its log.
  private static final int KEPT_SHARE = 5;

  static Sizes of(SplittableRandom random) {
    boolean keepsLog = random.nextInt(KEPT_SHARE) == 0;
    if (random.nextInt(CONTENDED_SHARE) == 0) {
      return new Sizes(0, 0, 1 + random.nextInt(CONTENDED_KEYS_MAX), 0, 0, true, keepsLog);
    }
    long bulk = random.nextInt(LARGE_SHARE) == 0 ? 1L << (20 - 2 + rareLog2(random)) : 0;
    int least = Math.toIntExact(bulk / BULK_ENTRIES_MAX);
    return new Sizes(
        random.nextInt(LARGE_SHARE) == 0 ? random.nextInt(MIB_LOG2_MAX + 1) : 0,
        random.nextInt(LARGE_SHARE) == 0 ? random.nextInt(MIB_LOG2_MAX + 1) : 0,
        random.nextInt(10) == 0 ? 400 : 4 + random.nextInt(60),
        bulk,
        Math.max(least, 8 << random.nextInt(12)),
        false,
        keepsLog);
  }

  /// Each next one half as often; the last with 64 MiB once in some hundreds.
  private static int rareLog2(SplittableRandom random) {
    return Math.min(MIB_LOG2_MAX + 2, Long.numberOfTrailingZeros(random.nextLong()));
  }

  /// Whether all values are ones that the log holds whole. An archived log has the images of others
  /// in records of their own. Where a record gets its position, which woven code reports, does not
  /// show whether it is a commit.
  boolean logsValues() {
    return keepsLog && SimulatedThreads.isWoven();
  }

  /// Options of that size, which differ from open to open.
  StoreOptions applyTo(StoreOptions options, SplittableRandom random) {
    int log = 20 + random.nextInt(logLog2Max + 1);
    int buffer = 16 + random.nextInt(Math.min(5, log - 20 + 1));
    return options
        .archiveLog(keepsLog)
        .cacheBytes(1L << (20 + cacheLog2))
        // From a number that was drawn already: one more would change what every seed means.
        .cache(cache -> cache.offHeapBytes(keyCount % 4 == 0 ? 1 << 20 : 0))
        .log(sizes ->
            sizes
                .bytesMax(1L << log)
                .bufferBytes(1 << buffer)
                .segmentBytes(1 << Math.max(18, log - 2 - random.nextInt(3))));
  }
}
