package io.varve.control.internal;

import java.time.Duration;

/// What clients of a control socket may take of the process.
///
/// @param connections that are answered at a time; those after them are refused
/// @param answerTime for one request, from its connection to its end: no snapshot is held longer.
///   Of a query that is followed, for its first answer and for each change
/// @param farewellTime that a client then has to hear of it, before it is disconnected
public record Bounds(int connections, Duration answerTime, Duration farewellTime) {
  /// How many connections may follow a query: half of them, so that others are answered as well.
  int watches() {
    return Math.max(1, connections / 2);
  }

  /// Of a socket that is given no other bounds.
  public static final Bounds DEFAULT = new Bounds(8, Duration.ofSeconds(30), Duration.ofSeconds(1));
}
