package io.varve.cache;

/// What an event of a cache reports in addition to what JCache knows:
/// `event.unwrap(VarveEvent.class)`.
///
/// @since 1.0
public interface VarveEvent {
  /// Whether a created event reports an entry that was there before the listener was registered
  /// ([CacheListenerOptions#includeCurrentState]).
  boolean isCurrentState();
}
