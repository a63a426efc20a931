package io.varve.bench.engine;

/// What a store can do, for the tables to leave out what it cannot.
public enum Feature {
  /// Keys come in order: scans and iteration both ways.
  ORDERED,
  /// Several operations commit atomically, all or none.
  ATOMIC_BATCH,
  /// Commits can be forced to stable storage.
  COMMIT_TO_DISK,
  /// Commits can be handed to the operating system, and a kill of the process then loses none.
  COMMIT_TO_OS,
  /// Has a mode in which commits are written in the background.
  COMMIT_IN_BACKGROUND,
  /// A waiting committer parks, so that virtual threads make sense.
  PARKS_COMMITTERS,
  /// Writes commits in a log before all else, and so can be measured by how it writes that.
  WRITE_AHEAD_LOG,
  /// Keeps its data in files.
  PERSISTENT,
  /// Keeps in files what is too much for memory, while it is open.
  OVERFLOWS,
  /// All values must be of one length, which is known when the store is made.
  ONE_VALUE_LENGTH,
  /// Takes values of 100 MB as a whole.
  LARGE_VALUES,
  /// Is a cache of a program, and so a peer where caches are measured.
  CACHES
}
