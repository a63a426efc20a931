package io.varve.internal.wal.segment;

import io.varve.internal.wal.segment.Tail.Obstacle;
import java.util.concurrent.atomic.LongAdder;

/// How long commits waited for capacity in the log, by what was in the way, all threads added up.
///
/// Thread-safe.
public final class LogWaits {
  private final LongAdder bufferNanos = new LongAdder();
  private final LongAdder segmentNanos = new LongAdder();
  private final LongAdder checkpointNanos = new LongAdder();

  /// Counts a wait.
  public void add(Obstacle obstacle, long nanos) {
    switch (obstacle) {
      case RING -> bufferNanos.add(nanos);
      case SEGMENTS -> segmentNanos.add(nanos);
      case CAP -> checkpointNanos.add(nanos);
      case NONE, CLOSED -> {}
    }
  }

  /// How users know an obstacle.
  public static String name(Obstacle obstacle) {
    return switch (obstacle) {
      case RING -> "BUFFER";
      case SEGMENTS -> "SEGMENT";
      case CAP -> "CHECKPOINT";
      case NONE, CLOSED -> obstacle.name();
    };
  }

  /// Until what was in the ring was written.
  public long bufferNanos() {
    return bufferNanos.sum();
  }

  /// Until segments were prepared.
  public long segmentNanos() {
    return segmentNanos.sum();
  }

  /// Until a checkpoint released log.
  public long checkpointNanos() {
    return checkpointNanos.sum();
  }
}
