package io.varve.internal.index;

import io.varve.internal.cache.PageCache;
import io.varve.internal.txn.LiveSpace;

/// The memory of builds of indexes (BUILD-4).
final class BuildMemory {
  private static final int CACHE_PART = 8;
  private static final long RUN_BYTES_MAX = 64L << 20;
  private static final int BLOCK_BYTES_MIN = 4 << 10;
  private static final int BLOCK_BYTES_MAX = 64 << 10;

  private static final int READ_PART = 32;

  /// The more is read together, the fewer threads are begun; and the more leaves the caches of the
  /// processor before it is asked for.
  private static final long READ_BYTES_MAX = 512 << 10;

  private static final long READ_BYTES_MIN = 128 << 10;

  /// The runs of an index that is built alone. Where several are built together, the runs of each
  /// are as many times as short, and as many times as many.
  private static final int RUNS = 256;

  /// What an entry takes in memory, about: only a guess of how many runs there will be.
  private static final long ENTRY_BYTES = 128;

  private final long runBytes;
  private final int blockBytes;

  /// @param runBytes for the entries that are gathered of all indexes together, and for one block
  ///   of each run of the index that is merged
  /// @param blockBytes the longest block, unless one entry alone is longer
  BuildMemory(long runBytes, int blockBytes) {
    this.runBytes = runBytes;
    this.blockBytes = blockBytes;
  }

  long runBytes() {
    return runBytes;
  }

  int blockBytes() {
    return blockBytes;
  }

  /// How many bytes of the indexed space are read ahead together; 0 if there is memory for so few
  /// that a thread for them costs more than it spares.
  long readAheadBytes() {
    long bytes = Math.min(runBytes / READ_PART, READ_BYTES_MAX);
    return bytes < READ_BYTES_MIN ? 0 : bytes;
  }

  /// For so many indexes together.
  static BuildMemory of(PageCache cache, int together) {
    long runBytes = runBytes(cache);
    long blockBytes = runBytes / ((long) RUNS * together);
    return new BuildMemory(runBytes, Math.clamp(blockBytes, BLOCK_BYTES_MIN, BLOCK_BYTES_MAX));
  }

  private static long runBytes(PageCache cache) {
    return Math.min(cache.bytesMax() / CACHE_PART, RUN_BYTES_MAX);
  }

  /// How many indexes are built together: as many as have all runs of each merged in one pass. More
  /// passes over the index would cost more than the passes over the space that are spared.
  static int together(PageCache cache, LiveSpace space) {
    long runBytes = runBytes(cache);
    long runs = runBytes / BLOCK_BYTES_MIN;
    long entriesBytes = Math.max(1, space.statistics().entries()) * ENTRY_BYTES;
    return Math.clamp(runs * runBytes / entriesBytes, 1, Integer.MAX_VALUE);
  }
}
