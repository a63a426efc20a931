package io.varve.test.simulation;

import io.varve.Statistics;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import java.util.function.Predicate;

/// What a store may take of its disk and of memory, from before it is opened to its end.
///
/// - (B1) All its files together never pass the quota, to the byte, unless they did before.
/// - (B2) The log takes what its cap allows, what is retained and prepared in addition, and spares.
/// - (B3) Pages in memory keep to the cache, except what the commits under way made dirty.
final class Budgets {
  private static final String LOG = "log/";
  private static final String KEPT = LOG + "kept/";

  /// Segments of log in addition to those that the cap covers: the rest of the one that the log
  /// begins in, one ahead, and four spares.
  private static final int SEGMENTS_MAX = 6;

  private static final long SEGMENT_HEADER_BYTES = 4096;

  /// The most that the reserve takes, whatever the size of the disk.
  private static final long RESERVE_BYTES_MAX = 8L << 20;

  /// What the pages take that commits under way made dirty: a page for each key of a transaction,
  /// with a thousand keys at most here, of each of a handful of threads; and as many of items.
  private static final int DIRTY_PAGES_MAX = 4000;

  /// What a page takes in memory apart from its bytes.
  private static final int NODE_BYTES = 200;

  private final SimulatedDisk disk;
  private final StoreOptions options;
  private final Faults faults;
  private final long bytesMax;
  private final long logBytesMax;

  /// Begins when `disk` is as the store will find it.
  Budgets(SimulatedDisk disk, StoreOptions options, Faults faults) {
    this.disk = disk;
    this.options = options;
    this.faults = faults;
    this.bytesMax = Math.max(options.diskBytesMax(), disk.usedBytes());
    this.logBytesMax = ownLogBytesMax(options) + disk.usedBytes(Budgets::isLog);
  }

  /// Whether commits may be refused for lack of space though the disk has some.
  boolean hasQuota() {
    return options.diskBytesMax() < Long.MAX_VALUE;
  }

  private static boolean isLog(String file) {
    return file.startsWith(LOG) && !file.startsWith(KEPT);
  }

  private static long ownLogBytesMax(StoreOptions options) {
    long ring = options.log().bufferBytes();
    long segment = Math.ceilDiv(options.log().segmentBytes(), ring) * ring;
    return ring
        + Math.max(options.log().bytesMax(), 2L * Sizes.COMMIT_BYTES_MAX)
        + SEGMENTS_MAX * (segment + SEGMENT_HEADER_BYTES);
  }

  /// Looks at the disk, which any thread may do at any time.
  void requireDisk() {
    if (faults.lied()) {
      return; // a write may have been made elsewhere, past the end of a file
    }
    requireAtMost("disk", disk.usedBytes(_ -> true), bytesMax);
    requireAtMost("log", disk.usedBytes(Budgets::isLog), logBytesMax);
  }

  /// Looks at the memory that pages take.
  void requireMemory(Statistics statistics) {
    long slack = (long) DIRTY_PAGES_MAX * (options.pageBytes() + NODE_BYTES);
    requireAtMost(
        "cache", statistics.cache().usedBytes(), statistics.cache().budgetBytes() + slack);
  }

  /// Looks at the memory that a recovery left in use: no thread has committed since.
  void requireRecovered(Statistics statistics) {
    requireAtMost(
        "dirty pages of a recovery", statistics.cache().dirtyBytes(), options.cacheBytes());
    requireAtMost("cache of a recovery", statistics.cache().usedBytes(), options.cacheBytes());
  }

  /// The most that the files may take that are not pages.
  long beyondPagesMax() {
    Predicate<String> kept = file -> file.startsWith(KEPT);
    return logBytesMax + RESERVE_BYTES_MAX + disk.usedBytes(kept);
  }

  private static void requireAtMost(String what, long bytes, long bytesMax) {
    if (bytes > bytesMax) {
      throw new AssertionError(
          "budget is exceeded: of=%s, bytes=%d, bytesMax=%d".formatted(what, bytes, bytesMax));
    }
  }
}
