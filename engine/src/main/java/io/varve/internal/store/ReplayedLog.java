package io.varve.internal.store;

import io.varve.internal.wal.CheckpointLog;
import io.varve.internal.wal.format.LogPosition;
import org.jspecify.annotations.Nullable;

/// The log while a recovery replays it: a [LogSurvey] made it durable, and none of it is released
/// before the next generation begins. For one thread.
final class ReplayedLog implements CheckpointLog {
  private @Nullable LogPosition position;
  private @Nullable Throwable failure;

  /// Notes that all commits before a place were applied, and none after it.
  void appliedUpTo(LogPosition place) {
    position = place;
  }

  @Override
  public LogPosition position() {
    LogPosition applied = position;
    if (applied == null) {
      // Of a spill, which names no place: no superblock is written.
      return LogPosition.ORIGIN;
    }
    return applied;
  }

  @Override
  public void force() {
    // The survey did.
  }

  @Override
  public void releaseBefore(long lsn) {
    // Either checkpoint may still be opened.
  }

  @Override
  public long retainedBytes() {
    return 0;
  }

  @Override
  public long waiters() {
    return 0;
  }

  @Override
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  @Override
  public @Nullable Throwable failure() {
    return failure;
  }
}
