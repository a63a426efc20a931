package io.varve.internal.map;

import io.varve.Cursor;
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

  byte @Nullable [] get(byte[] key);

  boolean contains(byte[] key);

  byte @Nullable [] getAndPut(byte[] key, byte[] value);

  byte @Nullable [] putIfAbsent(byte[] key, byte[] value);

  boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update);

  byte @Nullable [] getAndDelete(byte[] key);

  void delete(byte[] key);

  /// Puts many entries; at once, where there are commits for it.
  void putAll(List<Entry> entries);

  void deleteRange(Range range);

  Cursor cursor(Range range);

  long count(Range range);

  /// The entries of a space of its own.
  record OfSpace(Space space) implements EntryStore {
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
      return space.getAndPut(key, value);
    }

    @Override
    public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
      return space.putIfAbsent(key, value);
    }

    @Override
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
      return space.compareAndSet(key, expected, update);
    }

    @Override
    public byte @Nullable [] getAndDelete(byte[] key) {
      return space.getAndDelete(key);
    }

    @Override
    public void delete(byte[] key) {
      space.delete(key);
    }

    @Override
    public void putAll(List<Entry> entries) {
      space
          .store()
          .transact(tx -> entries.forEach(entry -> tx.put(space, entry.key(), entry.value())));
    }

    @Override
    public void deleteRange(Range range) {
      space.deleteRange(range);
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
