package io.varve.bench.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of a store, for one thread. Every change is a commit of the promise that the
/// store was opened with, and is made when the call returns. Arrays given may be used again at
/// once.
public interface EngineSession extends AutoCloseable {
  /// Gives the value of `key` to `sink`.
  ///
  /// @return whether the key is present
  boolean get(byte[] key, ValueSink sink);

  /// Gives the values of keys that are present, by one call if the store has one for many keys;
  /// otherwise one by one.
  default void getAll(List<byte[]> keys, IndexedSink sink) {
    for (int i = 0; i < keys.size(); i++) {
      int index = i;
      get(keys.get(i), (value, length) -> sink.value(index, value, length));
    }
  }

  /// Gives values, which are null for absent keys.
  default void give(List<? extends byte @Nullable []> values, IndexedSink sink) {
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      if (value != null) {
        sink.value(i, value, value.length);
      }
    }
  }

  /// Sets a value, as one commit.
  void put(byte[] key, byte[] value);

  /// Removes a key, as one commit.
  void delete(byte[] key);

  /// Applies all of `batch`, in its order, as one commit.
  void commit(Batch batch);

  /// Gives the entries from the least key that is at least `from`, in order, until `sink` has
  /// enough.
  void scan(byte[] from, EntrySink sink);

  /// Gives all entries in ascending order, until `sink` has enough.
  void forward(EntrySink sink);

  /// Gives all entries in descending order, until `sink` has enough.
  void backward(EntrySink sink);

  @Override
  void close();

  /// Takes a value.
  @FunctionalInterface
  interface ValueSink {
    /// Takes the first `length` bytes of `value`, which is valid during the call only.
    void value(byte[] value, int length);
  }

  /// Takes the values of many keys.
  @FunctionalInterface
  interface IndexedSink {
    /// Takes the first `length` bytes of `value`, that of the key at `index`; valid during the call
    /// only.
    void value(int index, byte[] value, int length);
  }

  /// Takes entries.
  @FunctionalInterface
  interface EntrySink {
    /// Takes an entry; the arrays are valid during the call only.
    ///
    /// @return whether to continue
    boolean entry(byte[] key, byte[] value, int valueLength);
  }
}
