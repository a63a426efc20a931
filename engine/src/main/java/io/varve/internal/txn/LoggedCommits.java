package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.internal.wal.RecordSink;
import io.varve.internal.wal.StoreLog;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// The commit order of a store on a disk: that of its log.
public final class LoggedCommits implements CommitLog {
  private final StoreLog log;

  /// @param log takes commits once its replay has ended
  public LoggedCommits(StoreLog log) {
    this.log = log;
  }

  @Override
  public long tryReserve(long bodyBytes) {
    return log.open().tryReserve(bodyBytes);
  }

  @Override
  public long tryReserveForStore(long bodyBytes) {
    return log.open().tryReserveForStore(bodyBytes);
  }

  @Override
  public boolean mayReserve() {
    return log.open().mayReserve();
  }

  @Override
  public boolean hasCapacity(long bodyBytes) {
    return log.open().hasCapacity(bodyBytes);
  }

  @Override
  public long tailLsn() {
    return log.open().tailLsn();
  }

  @Override
  public long endOf(long start, long bodyBytes) {
    return log.open().endOf(start, bodyBytes);
  }

  @Override
  public void write(long start, long bodyBytes, Consumer<RecordSink> body) {
    log.open().write(start, bodyBytes, body);
  }

  @Override
  public void awaitCapacity(long bodyBytes) {
    log.open().awaitCapacity(bodyBytes);
  }

  @Override
  public void awaitCapacityWithPriority(long bodyBytes) {
    log.open().awaitCapacityWithPriority(bodyBytes);
  }

  @Override
  public void awaitCapacityForStore(long bodyBytes) {
    log.open().awaitCapacityForStore(bodyBytes);
  }

  @Override
  public void endPriority() {
    log.open().endPriority();
  }

  @Override
  public void await(long commit, Durability durability) {
    log.open().await(commit, durability);
  }

  @Override
  public CompletableFuture<Void> whenDurable(long commit, Durability durability) {
    return log.open().whenDurable(commit, durability);
  }

  @Override
  public int ringBytes() {
    return log.open().ringBytes();
  }

  @Override
  public int ringBytesMax() {
    return log.open().ringBytesMax();
  }

  @Override
  public void fail(Throwable cause) {
    log.fail(cause);
  }

  @Override
  public boolean isDurable() {
    return true;
  }
}
