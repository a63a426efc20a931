package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// A table in the order of its keys as they are stored.
///
/// @param <K> the keys
/// @param <V> the values
final class TableRun<K, V> implements SortedRun<K, V> {
  private final List<Sorted<K, V>> sorted;
  private int index = -1;

  private record Sorted<K, V>(byte[] storedKey, K key, Slot<V> slot) {}

  TableRun(WorkerTable<K, V> table, Marshaller<K> keys) {
    sorted = new ArrayList<>(table.size());
    table
        .slots()
        .forEach((key, slot) ->
            sorted.add(new Sorted<>(RunRecord.storedKey(keys.toBytes(key)), key, slot)));
    sorted.sort((one, other) -> Arrays.compareUnsigned(one.storedKey, other.storedKey));
  }

  @Override
  public boolean next() {
    return ++index < sorted.size();
  }

  @Override
  public byte[] storedKey() {
    return sorted.get(index).storedKey;
  }

  @Override
  public K key() {
    return sorted.get(index).key;
  }

  @Override
  public Iterator<V> values() {
    return sorted.get(index).slot.values();
  }
}
