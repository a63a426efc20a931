package io.varve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads over all spaces of a store as of one point in the commit order. A [Snapshot] is one, and a
/// [Transaction], which adds its own writes.
///
/// @since 1.0
public sealed interface ReadView permits Snapshot, Transaction {
  /// The store that this reads.
  Store store();

  /// The table as a map that this view reads. See what opens it: [Transaction] or [Snapshot].
  <K, V> OrderedMap<K, V> open(Table<K, V> table);

  /// The table as a set that this view reads. See what opens it: [Transaction] or [Snapshot].
  <E> OrderedSet<E> open(TableSet<E> table);

  /// The value of `key`, as a copy, or null when the key is absent.
  byte @Nullable [] get(Space space, byte[] key);

  /// The value of `key` as `decoder` reads it, or null when the key is absent.
  <T> @Nullable T get(Space space, byte[] key, Decoder<T> decoder);

  /// The values of `keys`, in their order, null for each absent key.
  List<byte @Nullable []> getAll(Space space, List<byte[]> keys);

  /// Whether `key` is present.
  boolean contains(Space space, byte[] key);

  /// A cursor over the keys of `range`, which begins before the first. Close it when done.
  Cursor cursor(Space space, Range range);

  /// The entries of `range` in key order. Each call of `iterator()` scans again. Closing the view
  /// ends every iterator.
  Iterable<Entry> scan(Space space, Range range);

  /// The number of keys in `range`, exactly.
  long count(Space space, Range range);
}
