package io.varve;

import java.util.Objects;

/// A table of typed keys and values: the name of its space, and the codecs that its bytes were
/// written with. A store, a transaction and a snapshot open it, each as a map.
///
/// ```java
/// static final Table<String, Long> STOCK = Table.of("stock", Codec.string(), Codec.int64());
///
/// store.open(STOCK).put("apples", 3L); // a commit
/// store.transact(tx -> tx.open(STOCK).merge("apples", 1L, Long::sum)); // part of a transaction
/// try (Snapshot snapshot = store.snapshot()) {
///   snapshot.open(STOCK).get("apples"); // as of the snapshot
/// }
/// ```
///
/// The store remembers the ids of the codecs that a table was first opened with ([Codec#id()]), and
/// refuses to open it with others: keys take the same codec always, values one that reads what the
/// one before wrote ([Codec#reads(String)]). Codecs without an id are not checked.
///
/// An entry that a codec cannot read is an [IllegalArgumentException] of each call that would give
/// it, and of queries and indexes. Its message names the table, the key and the codec.
///
/// Thread-safe, as codecs are. Holds no resource: a constant of the program, mostly.
///
/// @param name of the space: 1 to 200 characters
/// @param keys a codec whose byte order is the order of the table
/// @param values a codec of the values
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public record Table<K, V>(String name, Codec<K> keys, Codec<V> values) {
  /// Refuses null.
  public Table {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
  }

  /// A table of that name. It is made when a store or a transaction opens it.
  public static <K, V> Table<K, V> of(String name, Codec<K> keys, Codec<V> values) {
    return new Table<>(name, keys, values);
  }

  /// The key of bytes, which are not kept: for what reads the bytes of the table's space.
  ///
  /// @throws IllegalArgumentException if the codec cannot read them; it names the table and the key
  /// @since 1.0
  public K key(byte[] key) {
    try {
      return keys.decode(key);
    } catch (RuntimeException e) {
      throw Undecodable.key(name, key, keys, e);
    }
  }

  /// The value of bytes, which are not kept: for what reads the bytes of the table's space.
  ///
  /// @param key of the entry
  /// @throws IllegalArgumentException if the codec cannot read them; it names the table and the key
  /// @since 1.0
  public V value(byte[] key, byte[] value) {
    try {
      return values.decode(value);
    } catch (RuntimeException e) {
      throw Undecodable.value(name, key, value, values, e);
    }
  }
}
