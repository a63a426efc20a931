package io.varve.item;

import io.varve.SpaceStatistics;

/// Figures of an item space as of now. Immutable. Varve alone implements it: later versions add
/// figures.
///
/// @since 1.0
public interface ItemStatistics {
  /// Of the space that holds what was committed, except layers.
  SpaceStatistics merged();

  /// Large commits that are yet to be merged, and changes of an open commit that were too many for
  /// memory.
  int layers();

  /// Changes in memory that wait for a commit or rollback.
  long uncommittedChanges();

  /// About what they take on the heap, in bytes.
  long uncommittedBytes();
}
