package io.varve.internal.map;

import io.varve.Codec;
import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A store of entries with the codecs of its keys and values: the operations of a map that need no
/// bounds or take them as a slice. Keys go in as bytes, so that each is encoded once.
///
/// Loops that end in a compare-and-set repeat only when another change came between, so some thread
/// always gets on.
///
/// @param table of the space of the entries, which names an entry that its codecs cannot read
/// @param <K> the keys
/// @param <V> the values
record TypedSpace<K, V>(EntryStore store, Table<K, V> table) {
  TypedSpace {
    Objects.requireNonNull(store, "store");
  }

  /// The entries of a store with the codecs of their bytes.
  TypedSpace(EntryStore store, Codec<K> keys, Codec<V> values) {
    this(store, new Table<>(store.space().name(), keys, values));
  }

  /// The same, with the durability of changes.
  TypedSpace<K, V> with(Durability durability) {
    return new TypedSpace<>(store.with(durability), table);
  }

  /// The same over other entries.
  TypedSpace<K, V> over(EntryStore other) {
    return new TypedSpace<>(other, table);
  }

  /// The bytes of a key.
  ///
  /// @throws ClassCastException if it is no key of this map
  @SuppressWarnings("unchecked") // the codec casts
  byte[] keyBytes(Object key) {
    return table.keys().encode((K) Objects.requireNonNull(key, "key"));
  }

  /// The bytes of a value.
  ///
  /// @throws ClassCastException if it is no value of this map
  @SuppressWarnings("unchecked") // the codec casts
  byte[] valueBytes(Object value) {
    return table.values().encode((V) Objects.requireNonNull(value, "value"));
  }

  /// The value of a key, null for null.
  @Nullable V value(byte[] key, byte @Nullable [] value) {
    return value == null ? null : table.value(key, value);
  }

  /// Shows keys.
  Reading<K> readingKeys() {
    return (key, _) -> table.key(key);
  }

  /// Shows values.
  Reading<V> readingValues() {
    return (key, cursor) -> table.value(key, cursor.value());
  }

  /// Shows entries that do not change.
  Reading<Map.Entry<K, V>> readingEntries() {
    return (key, cursor) -> Map.entry(table.key(key), table.value(key, cursor.value()));
  }

  /// What `reading` shows of the first entry of `slice`, or null if it is empty.
  <T> @Nullable T first(Slice slice, Reading<T> reading) {
    try (Cursor cursor = store.cursor(slice.range())) {
      return slice.first(cursor) ? reading.read(cursor.key(), cursor) : null;
    }
  }

  /// Removes the first entry of `slice` and gives it, or null if it is empty.
  Map.@Nullable Entry<K, V> pollFirst(Slice slice) {
    while (true) {
      byte[] key = first(slice, (bytes, _) -> bytes);
      if (key == null) {
        return null;
      }
      V value = value(key, store.getAndDelete(key));
      if (value != null) {
        return Map.entry(table.key(key), value);
      }
    }
  }

  /// Whether an entry of `slice` has this value.
  boolean containsValue(Slice slice, Object value) {
    byte[] bytes = valueBytes(value);
    var scan = new Scan(store, slice);
    while (scan.advance()) {
      if (scan.read(scan.key(), (key, cursor) -> isSame(key, cursor.value(), bytes, value))) {
        return true;
      }
    }
    return false;
  }

  /// Whether `key` has this value.
  boolean contains(byte[] key, Object value) {
    byte[] stored = store.get(key);
    return stored != null && isSame(key, stored, valueBytes(value), value);
  }

  /// Replaces the value of `key` if there is one, and gives it, or null.
  @Nullable V getAndReplace(byte[] key, byte[] update) {
    while (true) {
      byte[] stored = store.get(key);
      if (stored == null || store.compareAndSet(key, stored, update)) {
        return value(key, stored);
      }
    }
  }

  /// Replaces the value of `key` if it is `expected`; a null `update` removes.
  boolean compareAndSet(byte[] key, Object expected, byte @Nullable [] update) {
    byte[] expectedBytes = valueBytes(expected);
    while (true) {
      byte[] stored = store.get(key);
      if (stored == null || !isSame(key, stored, expectedBytes, expected)) {
        return false;
      }
      if (store.compareAndSet(key, stored, update)) {
        return true;
      }
    }
  }

  /// Values are the same if their bytes are, or else if `equals` returns true. Neither is enough
  /// alone: arrays equal themselves only, and equal objects may be encoded in different ways.
  private boolean isSame(byte[] key, byte[] stored, byte[] bytes, Object value) {
    return Arrays.equals(stored, bytes) || table.value(key, stored).equals(value);
  }

  /// Sets the value of `key` to what `change` makes of the present one; null means absent on both
  /// sides.
  ///
  /// @return the value set, or null
  @Nullable V update(byte[] key, UnaryOperator<@Nullable V> change) {
    while (true) {
      byte[] stored = store.get(key);
      V update = change.apply(value(key, stored));
      byte[] updateBytes = update == null ? null : valueBytes(update);
      boolean isAbsentAndStays = stored == null && updateBytes == null;
      if (isAbsentAndStays || store.compareAndSet(key, stored, updateBytes)) {
        return update;
      }
    }
  }

  /// Sets the value of `key`, if it is present, to what `change` makes of it; null means absent.
  ///
  /// @return the value set, or null
  @Nullable V updateIfPresent(byte[] key, UnaryOperator<@Nullable V> change) {
    return update(key, value -> value == null ? null : change.apply(value));
  }

  /// Removes the entries of `slice` of which `filter` holds, each only if it still has the value
  /// that was tested.
  ///
  /// @return whether any was removed
  <T> boolean removeIf(Slice slice, Reading<T> reading, Predicate<? super T> filter) {
    Objects.requireNonNull(filter, "filter");
    boolean removed = false;
    var scan = new Scan(store, slice);
    while (scan.advance()) {
      byte[] key = scan.key();
      if (filter.test(scan.read(key, reading))) {
        byte[] tested = scan.read(key, (_, cursor) -> cursor.value());
        removed |= store.compareAndSet(key, tested, null);
      }
    }
    return removed;
  }
}
