package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Transaction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The entries of a space as a transaction sees and changes them.
///
/// For the thread of the transaction, so what reads and then writes is one step.
public final class TransactionEntries implements EntryStore {
  private final Transaction transaction;
  private final Space space;

  /// Makes the entries that a transaction shows.
  public TransactionEntries(Transaction transaction, Space space) {
    this.transaction = transaction;
    this.space = space;
  }

  @Override
  public Space space() {
    return space;
  }

  @Override
  public EntryStore with(Durability durability) {
    throw new UnsupportedOperationException(
        "changes of a table of a transaction have the durability of its commit: space="
            + space.name()
            + ", durability="
            + durability
            + "; give it to the commit, or to transact");
  }

  @Override
  public Pending pending() {
    throw new UnsupportedOperationException(
        "changes of a table of a transaction wait for its commit alone: space="
            + space.name()
            + "; call commitAsync of the transaction");
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return transaction.get(space, key);
  }

  @Override
  public boolean contains(byte[] key) {
    return transaction.contains(space, key);
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    byte[] before = get(key);
    transaction.put(space, key, value);
    return before;
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    byte[] before = get(key);
    if (before == null) {
      transaction.put(space, key, value);
    }
    return before;
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    if (!Arrays.equals(get(key), expected)) {
      return false;
    }
    if (update != null) {
      transaction.put(space, key, update);
    } else if (expected != null) {
      transaction.delete(space, key);
    }
    return true;
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    byte[] before = get(key);
    if (before != null) {
      transaction.delete(space, key);
    }
    return before;
  }

  @Override
  public void delete(byte[] key) {
    transaction.delete(space, key);
  }

  @Override
  public void putAll(List<Entry> entries) {
    entries.forEach(entry -> transaction.put(space, entry.key(), entry.value()));
  }

  @Override
  public boolean addAll(List<byte[]> keys, byte[] value) {
    boolean added = false;
    for (byte[] key : keys) {
      if (!contains(key)) {
        transaction.put(space, key, value);
        added = true;
      }
    }
    return added;
  }

  @Override
  public void deleteRange(Range range) {
    transaction.deleteRange(space, range);
  }

  @Override
  public Cursor cursor(Range range) {
    return transaction.cursor(space, range);
  }

  @Override
  public long count(Range range) {
    return transaction.count(space, range);
  }

  @Override
  public boolean isShared() {
    return false;
  }
}
