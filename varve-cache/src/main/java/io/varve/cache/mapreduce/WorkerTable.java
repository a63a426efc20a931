package io.varve.cache.mapreduce;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// What the mappers of one thread have emitted, combined as it came. It measures the bytes that it
/// takes. For one thread at a time.
///
/// @param <K> the keys
/// @param <V> the values
final class WorkerTable<K, V> {
  /// What an entry takes beside its key and value: node, slot, and its place in the table.
  private static final int ENTRY_BYTES = 88;

  private final @Nullable BinaryOperator<V> combiner;
  private final Measure<K> keyMeasure;
  private final Measure<V> valueMeasure;
  private Map<K, Slot<V>> slots = new HashMap<>();
  private long bytes;
  private long combined;

  WorkerTable(Plan<?, K, V, ?> plan) {
    this.combiner = plan.combiner();
    this.keyMeasure = new Measure<>(plan.keys());
    this.valueMeasure = new Measure<>(plan.values());
  }

  void add(K key, V value) {
    Slot<V> slot = slots.get(key);
    if (slot == null) {
      long valueBytes = valueMeasure.bytes(value);
      slots.put(key, new Slot<>(value, valueBytes));
      bytes += ENTRY_BYTES + keyMeasure.bytes(key) + valueBytes;
    } else if (combiner == null) {
      bytes += slot.add(value, valueMeasure);
    } else {
      bytes += slot.combine(value, combiner, valueMeasure);
      combined++;
    }
  }

  /// Takes over what another table holds.
  void absorb(WorkerTable<K, V> other) {
    other.slots.forEach((key, slot) -> {
      Slot<V> present = slots.putIfAbsent(key, slot);
      if (present != null) {
        present.absorb(slot, combiner);
      }
    });
    other.clear();
  }

  /// About the bytes that it takes.
  long bytes() {
    return bytes;
  }

  /// Pairs that were combined with others, ever.
  long combined() {
    return combined;
  }

  int size() {
    return slots.size();
  }

  Map<K, Slot<V>> slots() {
    return slots;
  }

  void clear() {
    slots = new HashMap<>();
    bytes = 0;
  }
}
