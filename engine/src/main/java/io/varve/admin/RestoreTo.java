package io.varve.admin;

import java.time.Instant;
import java.util.Objects;

/// The state that a restore brings back.
///
/// @since 1.0
public sealed interface RestoreTo {
  /// The newest point.
  record Newest() implements RestoreTo {}

  /// The point of that number.
  record Point(long number) implements RestoreTo {}

  /// The latest state that excludes commits after this one, and includes all up to it. Refused if
  /// it is after every point and the archived log does not lead there.
  ///
  /// @param commit a commit of the store that was backed up
  record Commit(io.varve.Commit commit) implements RestoreTo {
    /// Refuses null.
    public Commit {
      Objects.requireNonNull(commit, "commit");
    }
  }

  /// The latest state known to exclude commits after this time: by the archived log, to about a
  /// second; without one, the newest point taken before.
  ///
  /// @param time one that no number of milliseconds shows counts as the nearest that one does
  record Time(Instant time) implements RestoreTo {
    private static final Instant MIN = Instant.ofEpochMilli(Long.MIN_VALUE);
    private static final Instant MAX = Instant.ofEpochMilli(Long.MAX_VALUE);

    /// Refuses null.
    public Time {
      time = time.isBefore(MIN) ? MIN : time.isAfter(MAX) ? MAX : time;
    }
  }

  /// The newest point.
  static RestoreTo newest() {
    return new Newest();
  }

  /// The point of that number.
  static RestoreTo point(long number) {
    return new Point(number);
  }

  /// The latest state that excludes commits after this one.
  static RestoreTo commit(io.varve.Commit commit) {
    return new Commit(commit);
  }

  /// The latest state known to exclude commits after this time.
  static RestoreTo time(Instant time) {
    return new Time(time);
  }
}
