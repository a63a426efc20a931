package io.varve.admin;

import java.time.Instant;
import java.util.Objects;

/// The state that a restore brings back.
public sealed interface RestoreTo {
  /// The newest point.
  record Newest() implements RestoreTo {}

  /// The point of that number.
  record Point(long number) implements RestoreTo {}

  /// The newest state that holds no commit after this one. Refused if it is after every point
  /// before it and the archived log does not lead there.
  ///
  /// @param lsn the LSN that the commit returned
  record Commit(long lsn) implements RestoreTo {}

  /// The newest state known to be no younger than this time: by the archived log, to about a
  /// second; where none was kept, the newest point before.
  record Time(Instant time) implements RestoreTo {
    /// Refuses null.
    public Time {
      Objects.requireNonNull(time, "time");
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

  /// The newest state that holds no commit after this one.
  static RestoreTo commit(long lsn) {
    return new Commit(lsn);
  }

  /// The newest state known to be no younger than this time.
  static RestoreTo time(Instant time) {
    return new Time(time);
  }
}
