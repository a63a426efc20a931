package io.varve.grid.cluster;

/// One call of a client, as its history keeps it. A key has one writer, whose calls follow each
/// other; its puts and removals of the key are numbered by that. Anybody may read.
///
/// @param version of a write, its number among those of its key, from 1; of a read, that of the
///   value which it found, or [#ABSENT]
/// @param startNanos when the client made the call
/// @param endNanos when the client had its answer
record Operation(
    Kind kind, String key, long version, long startNanos, long endNanos, Outcome outcome) {
  /// The version that a read finds where there is no value.
  static final long ABSENT = 0;

  /// The version of a value that no writer of the key has made.
  static final long FOREIGN = -1;

  enum Kind {
    PUT,
    REMOVE,
    READ
  }

  enum Outcome {
    /// The client was notified that it is done.
    ACKNOWLEDGED,
    /// The client was notified that it is not done, as what it asks for is not so.
    REFUSED,
    /// The client was notified of a failure, or of nothing: it may be done, now or later, or never.
    UNKNOWN
  }

  boolean isAcknowledged() {
    return outcome == Outcome.ACKNOWLEDGED;
  }
}
