package io.varve;

/// Purges a table whose entries end, in the background, until it is closed or the store is:
/// [ExpiringTable#purgeEvery].
///
/// Thread-safe.
///
/// @since 1.0
public interface PeriodicPurge extends AutoCloseable {
  /// Ends it. A commit of the purge that is under way ends as well, and no other follows; this does
  /// not wait for it. A second call does nothing.
  @Override
  void close();
}
