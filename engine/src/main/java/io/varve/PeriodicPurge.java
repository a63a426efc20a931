package io.varve;

/// Purges a table whose entries end, in the background, until it is closed or the store is:
/// [ExpiringTable#purgeEvery].
///
/// Thread-safe.
///
/// @since 1.0
public interface PeriodicPurge extends AutoCloseable {
  /// Ends it, without waiting for a purge that is under way: that one may still commit what it has
  /// chosen, once. A second call does nothing.
  @Override
  void close();
}
