package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.internal.txn.SpaceHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of a space of its own. Each change is a commit, which no body of a transaction makes
/// by a map: it was to be part of the transaction.
public final class SpaceEntries implements EntryStore {
  private final Space space;
  private final Durability durability;

  /// @param durability of the changes, which is that of the space
  public SpaceEntries(Space space, Durability durability) {
    this.space = space;
    this.durability = durability;
  }

  @Override
  public Space space() {
    return space;
  }

  /// The entries of a space that a store gave.
  public SpaceEntries(Space space) {
    this(space, space.store().options().durability());
  }

  @Override
  public EntryStore with(Durability other) {
    return new SpaceEntries(space.with(other), other);
  }

  @Override
  public Pending pending() {
    return new PendingEntries(this, this::writable, SpaceHandle.changesOf(space), durability);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return space.get(key);
  }

  @Override
  public boolean contains(byte[] key) {
    return space.contains(key);
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return writable().getAndPut(key, value);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    return writable().putIfAbsent(key, value);
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    return writable().compareAndSet(key, expected, update);
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return writable().getAndDelete(key);
  }

  @Override
  public void delete(byte[] key) {
    writable().delete(key);
  }

  @Override
  public void putAll(List<Entry> entries) {
    writable()
        .store()
        .transact(
            durability, tx -> entries.forEach(entry -> tx.put(space, entry.key(), entry.value())));
  }

  @Override
  public boolean addAll(List<byte[]> keys, byte[] value) {
    return writable()
        .store()
        .transactAndGet(durability, tx -> new TransactionEntries(tx, space).addAll(keys, value));
  }

  /// The space, for a change that is a commit of its own.
  ///
  /// @throws IllegalStateException in the body of a transaction
  private Space writable() {
    if (space.store().isInTransaction()) {
      throw new IllegalStateException(
          "a map of the store would commit on its own in the body of a transaction: space="
              + space.name()
              + "; change the table that the transaction opens, tx.open(table)");
    }
    return space;
  }

  @Override
  public void deleteRange(Range range) {
    writable().deleteRange(range);
  }

  @Override
  public Cursor cursor(Range range) {
    return space.cursor(range);
  }

  @Override
  public long count(Range range) {
    return space.count(range);
  }
}
