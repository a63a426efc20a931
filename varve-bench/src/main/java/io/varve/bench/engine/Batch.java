package io.varve.bench.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes that are to be committed together. Holds the arrays, copies nothing; used again after
/// [#clear()].
public final class Batch {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<byte @Nullable []> values = new ArrayList<>();

  /// Adds a change that sets a value.
  public void put(byte[] key, byte[] value) {
    keys.add(key);
    values.add(value);
  }

  /// Adds a change that removes a key.
  public void delete(byte[] key) {
    keys.add(key);
    values.add(null);
  }

  /// Adds all changes of `other`.
  void addAll(Batch other) {
    keys.addAll(other.keys);
    values.addAll(other.values);
  }

  /// The number of changes.
  public int size() {
    return keys.size();
  }

  /// Forgets all changes.
  public void clear() {
    keys.clear();
    values.clear();
  }

  /// Makes each change, in the order in which they were added.
  public <X extends Exception> void forEach(Changes<X> changes) throws X {
    for (int i = 0; i < keys.size(); i++) {
      byte @Nullable [] value = values.get(i);
      if (value == null) {
        changes.delete(keys.get(i));
      } else {
        changes.put(keys.get(i), value);
      }
    }
  }

  /// Takes changes one by one.
  ///
  /// @param <X> what may go wrong
  public interface Changes<X extends Exception> {
    /// Sets a value.
    void put(byte[] key, byte[] value) throws X;

    /// Removes a key.
    void delete(byte[] key) throws X;
  }
}
