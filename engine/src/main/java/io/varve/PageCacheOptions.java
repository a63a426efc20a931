package io.varve;

import java.util.Objects;

/// Experts' options of pages in memory, a group of [StoreOptions]. Immutable. None of them changes
/// an answer. [StoreOptions#cacheBytes(long)] is the budget.
///
/// @since 1.0
public final class PageCacheOptions {
  static final PageCacheOptions DEFAULTS = new PageCacheOptions(1, PageRetention.S3_FIFO, 0);

  private static final long OFF_HEAP_BYTES_MIN = 1 << 20;
  private static final long OFF_HEAP_BYTES_MAX = 1L << 40;

  private final double share;
  private final PageRetention retention;
  private final long offHeapBytes;

  private PageCacheOptions(double share, PageRetention retention, long offHeapBytes) {
    this.share = share;
    this.retention = retention;
    this.offHeapBytes = offHeapBytes;
  }

  /// The share of the store's pages that may be in memory.
  public double share() {
    return share;
  }

  /// Sets how much of the store may be in memory, as a share of the bytes that its pages take on
  /// disk: above 0, up to 1. The budget is that much as of the newest checkpoint, and so grows and
  /// shrinks with the store. It is at least 1 MiB and at most [StoreOptions#cacheBytes()]. Default
  /// 1: the latter alone is the budget.
  public PageCacheOptions share(double value) {
    if (!(value > 0 && value <= 1)) {
      throw new IllegalArgumentException(
          "cache.share out of range: cache.share=" + value + ", above=0, max=1");
    }
    return new PageCacheOptions(value, retention, offHeapBytes);
  }

  /// Which pages stay in memory.
  public PageRetention retention() {
    return retention;
  }

  /// Sets which pages stay in memory when the budget has no capacity for all. Default
  /// [PageRetention#S3_FIFO].
  public PageCacheOptions retention(PageRetention value) {
    return new PageCacheOptions(
        share, Objects.requireNonNull(value, "cache.retention"), offHeapBytes);
  }

  /// The most memory outside of the heap that pages may take.
  public long offHeapBytes() {
    return offHeapBytes;
  }

  /// Sets how much memory outside of the heap clean pages may take that have left
  /// [StoreOptions#cacheBytes()], in addition to it: 0, or 1 MiB to 1 TiB. A read that finds its
  /// page there does not read the file, and the garbage collector has nothing to do with it. The
  /// memory is taken as it fills, and returned at close. A store in memory has none. Default 0.
  public PageCacheOptions offHeapBytes(long value) {
    if (value != 0) {
      OptionRange.require("cache.offHeapBytes", value, OFF_HEAP_BYTES_MIN, OFF_HEAP_BYTES_MAX);
    }
    return new PageCacheOptions(share, retention, value);
  }
}
