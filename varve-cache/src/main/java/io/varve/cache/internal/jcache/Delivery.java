package io.varve.cache.internal.jcache;

/// How events come to one listener. Called under the lock of the key of an event, so in the order
/// of its changes. Safe for threads.
///
/// @param <K> the keys
/// @param <V> the values
interface Delivery<K, V> extends Backpressure {
  /// Brings an event to the listener, immediately or later.
  ///
  /// @throws javax.cache.event.CacheEntryListenerException if it was brought immediately, and
  ///   failed
  void tell(Event<K, V> event);

  /// Whether the listener can decide only after later events which one it wants.
  default boolean needsAll() {
    return false;
  }

  @Override
  default void awaitCapacity() {}

  /// Wakes each thread that waits: the listener hears nothing more.
  default void close() {}
}
