package io.varve.internal.txn;

import io.varve.Durability;
import io.varve.internal.wal.RecordSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The commit order of a store in memory: a counter, since no log keeps its commits.
public final class CountedCommits implements CommitLog {
  private final AtomicLong counter = new AtomicLong();

  @Override
  public long tryReserve(long bodyBytes) {
    return counter.getAndIncrement();
  }

  @Override
  public long tryReserveForStore(long bodyBytes) {
    return tryReserve(bodyBytes);
  }

  @Override
  public boolean mayReserve() {
    return true;
  }

  @Override
  public boolean hasCapacity(long bodyBytes) {
    return true;
  }

  @Override
  public long tailLsn() {
    return counter.get();
  }

  @Override
  public long endOf(long start, long bodyBytes) {
    return start + 1;
  }

  @Override
  public void write(long start, long bodyBytes, Consumer<RecordSink> body) {
    // There is no log.
  }

  @Override
  public void awaitCapacity(long bodyBytes) {
    // There always is.
  }

  @Override
  public void awaitCapacityWithPriority(long bodyBytes) {
    // There always is.
  }

  @Override
  public void awaitCapacityForStore(long bodyBytes) {
    // There always is.
  }

  @Override
  public void endPriority() {
    // Nobody waits for one.
  }

  @Override
  public void await(long commit, Durability durability) {
    // No promise of a store in memory takes time.
  }

  @Override
  public CompletableFuture<Void> whenDurable(long commit, Durability durability) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public int ringBytes() {
    return 0;
  }

  @Override
  public int ringBytesMax() {
    return 0;
  }

  @Override
  public void fail(Throwable cause) {
    // Nothing is lost with a commit that no log holds.
  }

  @Override
  public boolean isDurable() {
    return false;
  }
}
