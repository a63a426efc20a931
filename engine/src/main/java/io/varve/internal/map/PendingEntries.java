package io.varve.internal.map;

import io.varve.Commit;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Written;
import io.varve.internal.txn.KeyUpdate;
import io.varve.internal.txn.PendingChanges;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Entries of a space for one change of a map: what it writes is applied, and its newest commit is
/// awaited by a stage.
final class PendingEntries implements EntryStore, EntryStore.Pending {
  /// Applies a transaction without waiting for the disk: the stage does.
  private static final Durability APPLIED = Durability.BACKGROUND;

  private final EntryStore present;
  private final Supplier<Space> writable;
  private final PendingChanges changes;
  private final Durability durability;
  private @Nullable Commit commit;
  private long removedCount;

  /// @param present the entries as they are read
  /// @param writable the space, or a refusal to change it here
  PendingEntries(
      EntryStore present, Supplier<Space> writable, PendingChanges changes, Durability durability) {
    this.present = present;
    this.writable = writable;
    this.changes = changes;
    this.durability = durability;
  }

  @Override
  public EntryStore entries() {
    return this;
  }

  @Override
  public long removedCount() {
    return removedCount;
  }

  @Override
  public <T extends @Nullable Object> CompletionStage<Written<T>> written(T value) {
    Commit newest = commit;
    var written = new Written<>(value, newest);
    return newest == null
        ? CompletableFuture.completedStage(written)
        : changes.whenDurable(newest, durability).thenApply(_ -> written);
  }

  private KeyUpdate noted(KeyUpdate update) {
    Commit made = update.commit();
    if (made != null) {
      commit = made;
    }
    return update;
  }

  private PendingChanges changes() {
    var _ = writable.get();
    return changes;
  }

  @Override
  public Space space() {
    return present.space();
  }

  @Override
  public EntryStore with(Durability other) {
    return present.with(other);
  }

  @Override
  public Pending pending() {
    return present.pending();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return present.get(key);
  }

  @Override
  public boolean contains(byte[] key) {
    return present.contains(key);
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return noted(changes().getAndPut(key, value)).before();
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return noted(changes().putIfAbsent(key, value)).before();
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return noted(changes().compareAndSet(key, expected, update)).found(expected);
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return noted(changes().getAndDelete(key)).before();
  }

  @Override
  public void delete(byte[] key) {
    var _ = noted(changes().getAndDelete(key));
  }

  @Override
  public void putAll(List<Entry> entries) {
    Space space = writable.get();
    commit =
        space
            .store()
            .transact(
                APPLIED, tx -> entries.forEach(entry -> tx.put(space, entry.key(), entry.value())));
  }

  @Override
  public boolean addAll(List<byte[]> keys, byte[] value) {
    Space space = writable.get();
    boolean[] added = new boolean[1];
    Commit made =
        space
            .store()
            .transact(
                APPLIED, tx -> added[0] = new TransactionEntries(tx, space).addAll(keys, value));
    commit = added[0] ? made : commit;
    return added[0];
  }

  @Override
  public void deleteRange(Range range) {
    Space space = writable.get();
    Commit made =
        space.store().transact(APPLIED, tx -> removedCount = tx.deleteRange(space, range));
    commit = removedCount == 0 ? commit : made;
  }

  @Override
  public Cursor cursor(Range range) {
    return present.cursor(range);
  }

  @Override
  public long count(Range range) {
    return present.count(range);
  }
}
