package io.varve.cache.mapreduce;

import io.varve.Cursor;
import io.varve.cache.Marshaller;
import java.util.Arrays;
import java.util.Iterator;

/// A table that was written to a spill. Holds a place in one of its leaves.
///
/// @param <K> the keys
/// @param <V> the values
final class SpilledRun<K, V> implements SortedRun<K, V> {
  private final Cursor cursor;
  private final int prefixLength;
  private final Marshaller<K> keys;
  private final Marshaller<V> values;
  private byte[] storedKey = {};

  /// @param cursor before the first key of the run
  /// @param prefixLength of what is before the stored keys
  SpilledRun(Cursor cursor, int prefixLength, Marshaller<K> keys, Marshaller<V> values) {
    this.cursor = cursor;
    this.prefixLength = prefixLength;
    this.keys = keys;
    this.values = values;
  }

  @Override
  public boolean next() {
    boolean found = cursor.next();
    if (found) {
      byte[] key = cursor.key();
      storedKey = Arrays.copyOfRange(key, prefixLength, key.length);
    } else {
      cursor.close();
    }
    return found;
  }

  @Override
  public byte[] storedKey() {
    return storedKey;
  }

  @Override
  public K key() {
    return RunRecord.key(storedKey, cursor.value(), keys);
  }

  @Override
  public Iterator<V> values() {
    return RunRecord.values(storedKey, cursor.value(), values);
  }
}
