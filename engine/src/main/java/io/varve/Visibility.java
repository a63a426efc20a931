package io.varve;

/// Which commits a [Snapshot] shows.
///
/// @since 1.0
public enum Visibility {
  /// Every commit applied when the snapshot was taken, durable or not. Takes no wait.
  APPLIED,

  /// Only commits that would survive loss of power. Taking such a snapshot waits until the log is
  /// forced up to the snapshot's position in the commit order.
  DURABLE
}
