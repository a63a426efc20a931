package io.varve.cache;

/// What happens when changes wait for a coalescing listener that are as many as its options allow.
public enum WhenFull {
  /// Who has changed an entry waits, after the change and holding nothing, until there is room. A
  /// change that is part of another one does not wait, nor does one that a listener makes.
  WAIT,

  /// The change that has waited longest is dropped, counted, and logged once: for listeners that
  /// would rather miss something than slow the cache.
  DROP_OLDEST
}
