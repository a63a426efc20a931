package io.varve.bench.cache;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A cache that is open. For many threads. It may keep the arrays that it is given.
public interface ObjectCache extends AutoCloseable {
  /// The value of a key; null for none. Not to be changed.
  byte @Nullable [] get(String key);

  /// Sets a value.
  void put(String key, byte[] value);

  /// Removes a key.
  void remove(String key);

  /// The number of entries, as the cache reports it.
  long size();

  /// Passes all entries, reading keys and values.
  ///
  /// @return how many there were
  long iterate();

  /// Counts entries of any kind as [#iterate] does.
  static <E> long count(Iterable<E> entries, Function<E, ?> key, Function<E, ?> value) {
    long count = 0;
    for (E entry : entries) {
      if (key.apply(entry) != null && value.apply(entry) != null) {
        count++;
      }
    }
    return count;
  }

  @Override
  void close();
}
