package io.varve.internal.store;

import io.varve.StoreOptions;
import org.jspecify.annotations.Nullable;

/// Whether a cache leaves the heap what else is needed of it: for entries that callers were given,
/// transactions, inner pages, and what the collector copies. With a cache of four fifths of the
/// heap a third of the time went into full collections.
final class HeapShare {
  /// The part of the heap, in percent, that a cache may have.
  private static final int PERCENT_MAX = 60;

  private static final long MEBIBYTE = 1 << 20;

  private HeapShare() {}

  /// Logs a warning if the cache may take too much of this heap.
  ///
  /// @param directory of the store, for the message
  static void warnIfLarge(StoreOptions options, String directory) {
    String warning = warning(options, directory, Runtime.getRuntime().maxMemory());
    if (warning != null) {
      System.getLogger(HeapShare.class.getName()).log(System.Logger.Level.WARNING, warning);
    }
  }

  /// The warning, or null if the cache fits. That of a store which is to have what its size
  /// deserves may be much smaller than its bound.
  static @Nullable String warning(StoreOptions options, String directory, long heapBytesMax) {
    long cacheBytes = options.cacheBytes();
    long cacheBytesMax = heapBytesMax / 100 * PERCENT_MAX;
    if (cacheBytes <= cacheBytesMax || options.cache().share() < 1) {
      return null;
    }
    long percent = Math.ceilDiv(cacheBytes, PERCENT_MAX); // times 100 it may be more than a long
    long heapMebibytes =
        percent / MEBIBYTE * 100 + Math.ceilDiv(percent % MEBIBYTE * 100, MEBIBYTE);
    return "the cache may fill the heap, whose collections then take long: directory="
        + directory
        + ", cacheBytes="
        + cacheBytes
        + ", heapBytesMax="
        + heapBytesMax
        + ", percentMax="
        + PERCENT_MAX
        + "; start Java with -Xmx"
        + heapMebibytes
        + "m, or set cacheBytes to "
        + cacheBytesMax;
  }
}
