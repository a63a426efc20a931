package io.varve.internal.wal;

import io.varve.Durability;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

public final class Log implements AutoCloseable {
  public static final long NO_ROOM = -1;

  /// Starts the log of a new store; the same as recovering from [LogPosition#ORIGIN].
  public static Log create(Disk disk, Clock clock, LogOptions options, StoreId id) {
    throw new UnsupportedOperationException();
  }

  /// First step of an open: finds the log behind a checkpoint. Then [LogRecovery#replay], then
  /// [LogRecovery#start].
  public static LogRecovery recover(
      Disk disk, LogOptions options, StoreId id, LogPosition checkpoint) {
    throw new UnsupportedOperationException();
  }

  public long tryReserve(long bodyBytes) {
    throw new UnsupportedOperationException();
  }

  public long endOf(long startLsn, long bodyBytes) {
    throw new UnsupportedOperationException();
  }

  public RecordSink sink(long startLsn, long bodyBytes) {
    throw new UnsupportedOperationException();
  }

  public void awaitRoom(long bodyBytes) {
    throw new UnsupportedOperationException();
  }

  public void await(long commitLsn, Durability durability) {
    throw new UnsupportedOperationException();
  }

  public CompletableFuture<Void> whenDurable(long commitLsn, Durability durability) {
    throw new UnsupportedOperationException();
  }

  /// Where a checkpoint taken now cuts the log. Call it while no commit is between reserving and
  /// applying.
  public LogPosition position() {
    throw new UnsupportedOperationException();
  }

  public long tailLsn() {
    throw new UnsupportedOperationException();
  }

  public long durableLsn() {
    throw new UnsupportedOperationException();
  }

  public long retainedBytes() {
    throw new UnsupportedOperationException();
  }

  /// Makes all that was appended before the call durable.
  public void force() {
    throw new UnsupportedOperationException();
  }

  public void releaseBefore(long lsn) {
    throw new UnsupportedOperationException();
  }

  public void fail(Throwable cause) {
    throw new UnsupportedOperationException();
  }

  public @Nullable Throwable failure() {
    throw new UnsupportedOperationException();
  }

  public void onPressure(Runnable askForCheckpoint) {
    throw new UnsupportedOperationException();
  }

  public LogStatistics statistics() {
    throw new UnsupportedOperationException();
  }

  /// Makes all that was appended durable, and ends the log's threads. The log stays on disk.
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /// Closes, and deletes the log: for a clean close, after a final checkpoint that names
  /// `position().atCleanClose()` is durable.
  public void closeAndDiscard() {
    throw new UnsupportedOperationException();
  }
}
