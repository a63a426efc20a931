package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a map keeps its entries, as bytes in unsigned order of the keys. Each operation on one key
/// is linearizable, and means what that of [Space] does.
public interface EntryStore {
  /// The space that holds the entries.
  Space space();

  /// The same entries, where each change is a commit of that durability.
  ///
  /// @throws UnsupportedOperationException if changes here are no commits of their own
  EntryStore with(Durability durability);

  byte @Nullable [] get(byte[] key);

  boolean contains(byte[] key);

  byte @Nullable [] getAndPut(byte[] key, byte[] value);

  byte @Nullable [] putIfAbsent(byte[] key, byte[] value);

  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update);

  byte @Nullable [] getAndDelete(byte[] key);

  void delete(byte[] key);

  /// Puts many entries; atomically, where there are commits for it.
  void putAll(List<Entry> entries);

  /// Puts each key that is absent; atomically, where there are commits for it.
  ///
  /// @return whether any was absent
  boolean addAll(List<byte[]> keys, byte[] value);

  void deleteRange(Range range);

  Cursor cursor(Range range);

  long count(Range range);

  /// Whether several threads may read at the same time.
  default boolean isShared() {
    return true;
  }

  /// The entries of a space of its own. Each change is a commit, which no body of a transaction
  /// makes by a map: it was to be part of the transaction.
  ///
  /// @param durability of the changes, which is that of the space
  record OfSpace(Space space, Durability durability) implements EntryStore {
    /// The entries of a space that a store gave.
    OfSpace(Space space) {
      this(space, space.store().options().durability());
    }

    @Override
    public EntryStore with(Durability other) {
      return new OfSpace(space.with(other), other);
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
              durability,
              tx -> entries.forEach(entry -> tx.put(space, entry.key(), entry.value())));
    }

    @Override
    public boolean addAll(List<byte[]> keys, byte[] value) {
      return writable()
          .store()
          .transactAndGet(durability, tx -> new TransactionEntries(tx, space).addAll(keys, value));
    }

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
}
