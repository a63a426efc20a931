package io.varve.cache.internal.jcache;

/// What takes changes of a cache to others, and has a bound that a thread may exceed by one call.
/// Safe for threads.
interface Backpressure {
  /// Waits until there is capacity for more. Called without the lock of any key, by a thread that
  /// has called [Nesting#reported].
  void awaitCapacity();
}
