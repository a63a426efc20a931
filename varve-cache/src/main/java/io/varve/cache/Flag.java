package io.varve.cache;

/// What a single call, or a view of a cache, does otherwise than the cache: see
/// [VarveCache#with(Flag...)]. Conditional operations stay atomic under each.
///
/// @since 1.0
public enum Flag {
  /// `getAndPut`, `getAndReplace` and `getAndRemove` give null: the value that was there is neither
  /// copied nor turned into an object.
  IGNORE_RETURN_VALUES,

  /// Neither the loader nor the writer is called.
  SKIP_STORE,

  /// No listener is notified.
  SKIP_LISTENERS,

  /// Nothing is counted.
  SKIP_STATISTICS,

  /// A change would survive loss of power when the call returns, whatever the durability of the
  /// cache.
  FORCE_SYNCHRONOUS,

  /// What the store, the loader, the writer or a listener throws is dropped, and so is a lock that
  /// could not be had; the call gives null, false, 0 or nothing. Wrong arguments and a closed cache
  /// are errors all the same, and so is a failure of [VarveCache#statistics()], whose figures would
  /// be wrong.
  FAIL_SILENTLY,

  /// A change whose key another thread is changing fails immediately with a
  /// [javax.cache.CacheException], rather than wait.
  ZERO_LOCK_WAIT
}
