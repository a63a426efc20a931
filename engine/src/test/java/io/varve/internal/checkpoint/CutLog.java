package io.varve.internal.checkpoint;

import io.varve.internal.wal.CheckpointLog;
import io.varve.internal.wal.format.LogPosition;
import org.jspecify.annotations.Nullable;

/// A log of a length, and with waiters, as a test wants them.
final class CutLog implements CheckpointLog {
  static final long BYTES_MAX = 1000;

  long retainedBytes;
  long waiters;

  @Override
  public LogPosition position() {
    return LogPosition.ORIGIN;
  }

  @Override
  public void force() {}

  @Override
  public void releaseBefore(long lsn) {}

  @Override
  public long retainedBytes() {
    return retainedBytes;
  }

  @Override
  public long bytesMax() {
    return BYTES_MAX;
  }

  @Override
  public long waiters() {
    return waiters;
  }

  @Override
  public void fail(Throwable cause) {}

  @Override
  public @Nullable Throwable failure() {
    return null;
  }
}
