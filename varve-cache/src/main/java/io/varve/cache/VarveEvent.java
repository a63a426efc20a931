package io.varve.cache;

/// What an event of a cache says in addition to what JCache knows:
/// `event.unwrap(VarveEvent.class)`.
///
/// @since 1.0
public interface VarveEvent {
  /// Whether a created event tells of an entry that was there before the listener was registered
  /// ([CacheListenerOptions#includeCurrentState]).
  boolean isCurrentState();
}
