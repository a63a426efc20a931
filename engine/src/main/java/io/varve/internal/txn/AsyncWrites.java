package io.varve.internal.txn;

import io.varve.AsyncSpace;
import io.varve.Commit;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Written;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// Changes of a space whose durability is awaited by stages.
final class AsyncWrites implements AsyncSpace {
  private final Space space;
  private final PendingChanges changes;
  private final Durability durability;

  /// @param space with that durability
  AsyncWrites(Space space, PendingChanges changes, Durability durability) {
    this.space = space;
    this.changes = changes;
    this.durability = durability;
  }

  @Override
  public Space space() {
    return space;
  }

  private CompletionStage<Commit> committed(long lsn) {
    return changes.whenDurable(new Commit(lsn), durability);
  }

  private <T extends @Nullable Object> CompletionStage<Written<T>> written(
      T value, @Nullable Commit commit) {
    var written = new Written<>(value, commit);
    return commit == null
        ? CompletableFuture.completedStage(written)
        : changes.whenDurable(commit, durability).thenApply(_ -> written);
  }

  private CompletionStage<Written<byte @Nullable []>> before(KeyUpdate update) {
    return this.<byte @Nullable []>written(update.before(), update.commit());
  }

  @Override
  public CompletionStage<Commit> put(byte[] key, byte[] value) {
    return committed(changes.put(key, value));
  }

  @Override
  public CompletionStage<Commit> put(byte[] key, InputStream value, long length) {
    return committed(changes.put(key, value, length));
  }

  @Override
  public CompletionStage<Commit> delete(byte[] key) {
    return committed(changes.delete(key));
  }

  @Override
  public CompletionStage<Written<byte @Nullable []>> getAndPut(byte[] key, byte[] value) {
    return before(changes.getAndPut(key, value));
  }

  @Override
  public CompletionStage<Written<byte @Nullable []>> putIfAbsent(byte[] key, byte[] value) {
    return before(changes.putIfAbsent(key, value));
  }

  @Override
  public CompletionStage<Written<Boolean>> compareAndSet(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    KeyUpdate change = changes.compareAndSet(key, expected, update);
    return written(change.found(expected), change.commit());
  }

  @Override
  public CompletionStage<Written<byte @Nullable []>> getAndDelete(byte[] key) {
    return before(changes.getAndDelete(key));
  }

  @Override
  public CompletionStage<Written<byte @Nullable []>> merge(
      byte[] key, byte[] value, BinaryOperator<byte @Nullable []> remapping) {
    KeyUpdate change = changes.merge(key, value, remapping);
    byte[] after = change.after();
    return this.<byte @Nullable []>written(after == null ? null : after.clone(), change.commit());
  }

  @Override
  public CompletionStage<Written<Long>> deleteRange(Range range) {
    long[] removed = new long[1];
    // Background: the commit is applied then, and the stage waits for the rest.
    Commit commit =
        space
            .store()
            .transact(Durability.BACKGROUND, tx -> removed[0] = tx.deleteRange(space, range));
    return written(removed[0], removed[0] == 0 ? null : commit);
  }
}
