package io.varve.internal.wal;

import io.varve.internal.wal.format.LogPosition;
import org.jspecify.annotations.Nullable;

/// What a checkpoint asks of the log that it cuts: the log of an open store, or the one that a
/// recovery replays.
public interface CheckpointLog {
  /// Where a checkpoint taken now cuts the log. Call it while no commit is between reserving and
  /// applying.
  LogPosition position();

  /// Makes all that was appended before the call durable.
  void force();

  /// Releases the log below `lsn`: no checkpoint that may still be opened needs it.
  void releaseBefore(long lsn);

  /// Log that a recovery would have to read.
  long retainedBytes();

  /// The most that the log may retain.
  long bytesMax();

  /// Commits that have waited for a force so far.
  long waiters();

  /// Makes the log refuse everything from now on. The first cause stays.
  void fail(Throwable cause);

  /// Why the log failed, or null if it did not.
  @Nullable Throwable failure();
}
