package io.varve.internal.wal;

import io.varve.internal.wal.format.LogPosition;
import org.jspecify.annotations.Nullable;

/// The log of a store on a disk, from the beginning of its opening to its close. It is in one of
/// two states, and passes from the first to the second once.
///
/// - *Replayed*: a recovery reads the log. It is durable already, none of it is released, and
///   nothing can be appended. A failure is recorded, and there is no commit yet that it would
///   refuse.
/// - *Open*: [#begin(Log)] was called, and commits are appended.
///
/// What is made before the replay, such as checkpoints and the order of commits, so has the log
/// from its construction on.
///
/// The state is written by the thread that opens the store, before any other thread has it.
public final class StoreLog implements CheckpointLog, AutoCloseable {
  private final Replayed replayed = new Replayed();

  /// Null while the log is replayed.
  private @Nullable Log open;

  /// Records that all commits before a position were applied by the replay, and none after it.
  public void appliedUpTo(LogPosition position) {
    replayed.position = position;
  }

  /// Begins to take commits in the generation of the log that the replay has made ready. Comes
  /// right after its start: a failed open closes what began.
  ///
  /// @throws IllegalStateException if it began before
  public void begin(Log next) {
    if (open != null) {
      throw new IllegalStateException("the log of a store begins once");
    }
    open = next;
  }

  /// The log that commits are appended to.
  ///
  /// @throws IllegalStateException if it is still replayed
  public Log open() {
    Log present = open;
    if (present == null) {
      throw new IllegalStateException("the log takes no commits while it is replayed");
    }
    return present;
  }

  /// Closes the log that commits are appended to, if it began: for an open that failed, before
  /// anything committed.
  @Override
  public void close() {
    Log present = open;
    if (present != null) {
      present.close();
    }
  }

  private CheckpointLog current() {
    Log present = open;
    return present == null ? replayed : present;
  }

  @Override
  public LogPosition position() {
    return current().position();
  }

  @Override
  public void force() {
    current().force();
  }

  @Override
  public void releaseBefore(long lsn) {
    current().releaseBefore(lsn);
  }

  @Override
  public long retainedBytes() {
    return current().retainedBytes();
  }

  @Override
  public long bytesMax() {
    return current().bytesMax();
  }

  @Override
  public long waiters() {
    return current().waiters();
  }

  @Override
  public void fail(Throwable cause) {
    current().fail(cause);
  }

  @Override
  public @Nullable Throwable failure() {
    return current().failure();
  }

  /// The log that a recovery reads. For one thread.
  private static final class Replayed implements CheckpointLog {
    private @Nullable LogPosition position;
    private @Nullable Throwable failure;

    @Override
    public LogPosition position() {
      // A spill names no position, since it writes no superblock.
      return position == null ? LogPosition.ORIGIN : position;
    }

    @Override
    public void force() {
      // What is replayed was forced before.
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
    public long bytesMax() {
      return Long.MAX_VALUE;
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
}
