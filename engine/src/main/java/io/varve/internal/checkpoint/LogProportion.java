package io.varve.internal.checkpoint;

import io.varve.internal.file.Extents;
import io.varve.internal.wal.CheckpointLog;

/// How much log is right for the data of a store. The cap of the log is the same for all stores,
/// and to use it costs the fewest writes of pages. But the log of a small store would be many times
/// its data.
///
/// Safe for threads.
public final class LogProportion {
  /// Log that is worth no checkpoint while commits continue: the two that release it would come too
  /// often.
  private static final long BUSY_BYTES_MIN = 16L << 20;

  /// Log to live bytes while commits continue. A checkpoint writes the live pages at most, so with
  /// this bound pages are at most half of what is written for the log.
  private static final int BUSY_PART = 4;

  /// Log that is worth no checkpoint while nobody commits.
  private static final long QUIET_BYTES_MIN = 4L << 20;

  /// Live bytes to log while nobody commits.
  private static final int QUIET_PART = 8;

  private final CheckpointLog log;
  private final Extents extents;

  /// @param extents of the data
  public LogProportion(CheckpointLog log, Extents extents) {
    this.log = log;
    this.extents = extents;
  }

  /// Whether the log is so long that a checkpoint costs little compared with it.
  boolean isLogLong() {
    return log.retainedBytes() > Math.max(BUSY_BYTES_MIN, extents.liveBytes() * BUSY_PART);
  }

  /// Whether the log takes a good deal of the files of a store that nobody writes to.
  boolean isLogWorthReleasing() {
    return log.retainedBytes() > Math.max(QUIET_BYTES_MIN, extents.liveBytes() / QUIET_PART);
  }
}
