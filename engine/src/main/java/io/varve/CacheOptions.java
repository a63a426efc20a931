package io.varve;

import java.util.Objects;

/// Experts' options of pages in memory, a group of [StoreOptions]. Immutable. None of them changes
/// an answer. [StoreOptions#cacheBytes(long)] is the budget.
///
/// @since 1.0
public final class CacheOptions {
  static final CacheOptions DEFAULTS = new CacheOptions(1, PageRetention.S3_FIFO);

  private final double share;
  private final PageRetention retention;

  private CacheOptions(double share, PageRetention retention) {
    this.share = share;
    this.retention = retention;
  }

  /// The share of the store's pages that may be in memory.
  public double share() {
    return share;
  }

  /// Sets how much of the store may be in memory, as a share of the bytes that its pages take on
  /// disk: above 0, up to 1. The budget is that much as of the newest checkpoint, and so grows and
  /// shrinks with the store, but at least 1 MiB and at most [StoreOptions#cacheBytes()]. Default 1:
  /// the latter alone is the budget.
  public CacheOptions share(double value) {
    if (!(value > 0 && value <= 1)) {
      throw new IllegalArgumentException(
          "cache.share out of range: cache.share=" + value + ", above=0, max=1");
    }
    return new CacheOptions(value, retention);
  }

  /// Which pages stay in memory.
  public PageRetention retention() {
    return retention;
  }

  /// Sets which pages stay in memory when the budget has no capacity for all. Default
  /// [PageRetention#S3_FIFO].
  public CacheOptions retention(PageRetention value) {
    return new CacheOptions(share, Objects.requireNonNull(value, "cache.retention"));
  }
}
