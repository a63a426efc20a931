package io.varve.cache;

/// What happens when changes wait for a coalescing listener that are as many as its options allow.
///
/// @since 1.0
public enum WhenFull {
  /// A thread that has changed an entry waits, after the change and holding nothing, until there is
  /// capacity. A change that is part of another one, be it of another cache, does not wait itself:
  /// the other does, for both. One that a listener makes does not wait. The removal of expired
  /// entries does, and with it that of the other caches of the manager.
  WAIT,

  /// The change that has waited longest is dropped, counted, and logged once: for listeners that
  /// would rather miss something than slow the cache. The replay of what is there waits for
  /// capacity all the same ([CacheListenerOptions#includeCurrentState]).
  DROP_OLDEST
}
