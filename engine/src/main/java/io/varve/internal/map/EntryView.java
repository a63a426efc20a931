package io.varve.internal.map;

import static java.util.Spliterator.CONCURRENT;
import static java.util.Spliterator.DISTINCT;
import static java.util.Spliterator.NONNULL;
import static java.util.Spliterator.ORDERED;
import static java.util.Spliterator.SORTED;

import io.varve.OrderedMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The entries of a map, live. Each entry that it gives stays as it was read.
///
/// @param <K> the keys
/// @param <V> the values
final class EntryView<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final OrderedMap<K, V> map;
  private final TypedSpace<K, V> entries;
  private final Slice slice;

  /// @param map of the entries of the slice
  EntryView(OrderedMap<K, V> map, TypedSpace<K, V> entries, Slice slice) {
    this.map = map;
    this.entries = entries;
    this.slice = slice;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new ScanIterator<>(entries.store(), slice, entries.readingEntries());
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return new ScanSpliterator<>(
        entries.store(),
        slice,
        entries.readingEntries(),
        ORDERED | DISTINCT | SORTED | CONCURRENT | NONNULL,
        orderOfEntries(map.comparator()));
  }

  /// Entries have no natural order, so theirs is always a comparator.
  @SuppressWarnings("unchecked") // no comparator: the keys are Comparable
  private static <K, V> Comparator<Map.Entry<K, V>> orderOfEntries(
      @Nullable Comparator<? super K> keys) {
    Comparator<? super K> order = keys == null ? (Comparator<K>) Comparator.naturalOrder() : keys;
    return Map.Entry.comparingByKey(order);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(Object element) {
    return element instanceof Map.Entry<?, ?> entry && contains(entry.getKey(), entry.getValue());
  }

  private boolean contains(Object key, @Nullable Object value) {
    byte[] bytes = entries.keyBytes(key);
    return value != null && slice.contains(bytes) && entries.contains(bytes, value);
  }

  @Override
  public boolean remove(Object element) {
    return element instanceof Map.Entry<?, ?> entry && map.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
    return entries.removeIf(slice, entries.readingEntries(), filter);
  }

  @Override
  public void clear() {
    map.clear();
  }
}
