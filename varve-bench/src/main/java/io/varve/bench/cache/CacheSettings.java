package io.varve.bench.cache;

import io.varve.cache.StorageMode;
import java.nio.file.Path;

/// How a cache is opened.
///
/// @param mode where its entries are
/// @param directory for its files
/// @param hotEntries how many entries are kept on the heap, in addition to pages or files
/// @param entriesMax the most entries that there will be
/// @param valueBytes the length of values, about
/// @param cacheBytes how many bytes of pages are kept in memory, by caches that have such
public record CacheSettings(
    StorageMode mode,
    Path directory,
    long hotEntries,
    long entriesMax,
    int valueBytes,
    long cacheBytes) {
  /// What an entry takes in a file in addition to its value, at most: for caches that must know how
  /// large their files get, and drop entries when they are full.
  private static final int ENTRY_BYTES_MAX = 300;

  private static final long FILE_BYTES_MIN = 64L << 20;

  /// Capacity for all entries in files, twice.
  long fileBytesMax() {
    return Math.max(FILE_BYTES_MIN, 2 * entriesMax * (valueBytes + ENTRY_BYTES_MAX));
  }
}
