package io.varve.internal.map;

import static java.util.Spliterator.CONCURRENT;
import static java.util.Spliterator.NONNULL;
import static java.util.Spliterator.ORDERED;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.function.Predicate;

/// The values of a map, live, in the order of their keys.
///
/// @param <V> the values
final class ValueView<V> extends AbstractCollection<V> {
  private final Map<?, V> map;
  private final TypedSpace<?, V> entries;
  private final Slice slice;

  /// @param map of the entries of the slice
  ValueView(Map<?, V> map, TypedSpace<?, V> entries, Slice slice) {
    this.map = map;
    this.entries = entries;
    this.slice = slice;
  }

  @Override
  public Iterator<V> iterator() {
    return new ScanIterator<>(entries.store(), slice, entries.readingValues());
  }

  @Override
  public Spliterator<V> spliterator() {
    return new ScanSpliterator<>(
        entries.store(), slice, entries.readingValues(), ORDERED | CONCURRENT | NONNULL, null);
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
  public boolean contains(Object value) {
    return map.containsValue(value);
  }

  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    return entries.removeIf(slice, entries.readingValues(), filter);
  }

  @Override
  public void clear() {
    map.clear();
  }
}
