package io.varve.item;

/// One state of an [ItemSpace], with what was not committed then, unchanged by all that follows.
/// Close it: it keeps the disk space of what it shows from being reused.
///
/// Safe for use by many threads concurrently.
///
/// @since 1.0
public non-sealed interface ItemSnapshot extends ItemView, AutoCloseable {
  /// Releases the snapshot. Its cursors fail from now on. Idempotent.
  @Override
  void close();
}
