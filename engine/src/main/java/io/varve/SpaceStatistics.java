package io.varve;

/// Figures of a space as of now. While others change it they are of no one point in the commit
/// order: for that count in a [Snapshot]. Immutable. Varve alone implements it: later versions add
/// figures.
///
/// @since 1.0
public interface SpaceStatistics {
  /// The name of the space.
  String name();

  /// Keys in it.
  long entries();

  /// About what its keys and values take on disk in bytes, from some of its pages; large values are
  /// not counted.
  long bytes();

  /// Levels of its tree, leaves included.
  int depth();

  /// About how many leaves its tree has, from some of its pages.
  long leaves();

  /// About how many of them are in memory: of the same pages. Those outside of the heap are not
  /// counted.
  long leavesInMemory();
}
