package io.varve.query.internal.access;

import io.varve.SpaceStatistics;

/// How many leaves of a space a read has to load, about: by what is in memory when a plan is made.
///
/// @param entries of the space
/// @param leaves of it
/// @param absentShare which part of the leaves is not in memory
record ColdPages(double entries, double leaves, double absentShare) {
  /// All is in memory.
  static final ColdPages NONE = new ColdPages(1, 1, 0);

  static ColdPages of(SpaceStatistics space) {
    double leaves = (double) Math.max(1, space.leaves());
    return new ColdPages(
        (double) Math.max(1, space.entries()),
        leaves,
        Math.max(0, 1 - space.leavesInMemory() / leaves));
  }

  /// The loads of entries that follow each other.
  double ofRun(double count) {
    return Math.min(1, count / entries) * leaves * absentShare;
  }

  /// The loads of entries anywhere. Some of them share a leaf, and more so in the order of keys.
  double ofPoints(double count) {
    return (1 - Math.exp(-count / leaves)) * leaves * absentShare;
  }
}
