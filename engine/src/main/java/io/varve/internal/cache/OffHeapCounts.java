package io.varve.internal.cache;

/// Figures of the tier outside of the heap.
///
/// @param bytes of memory taken
/// @param images there are
/// @param hits reads that found the page they wanted
/// @param misses reads that did not
/// @param evictions images that left so that others could come
public record OffHeapCounts(long bytes, long images, long hits, long misses, long evictions) {
  /// Of no tier.
  public static final OffHeapCounts NONE = new OffHeapCounts(0, 0, 0, 0, 0);
}
