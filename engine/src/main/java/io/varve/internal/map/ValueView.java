package io.varve.internal.map;

import static java.util.Spliterator.CONCURRENT;
import static java.util.Spliterator.NONNULL;
import static java.util.Spliterator.ORDERED;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Predicate;

/// The values of a map, live, in the order of their keys.
///
/// @param <V> the values
final class ValueView<V> extends AbstractCollection<V> {
  private final SpaceMap<?, V> map;

  ValueView(SpaceMap<?, V> map) {
    this.map = map;
  }

  @Override
  public Iterator<V> iterator() {
    return new ScanIterator<>(map.entries().store(), map.slice(), map.entries().readingValues());
  }

  @Override
  public Spliterator<V> spliterator() {
    return new ScanSpliterator<>(
        map.entries().store(),
        map.slice(),
        map.entries().readingValues(),
        ORDERED | CONCURRENT | NONNULL,
        null);
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
    return map.entries().removeIf(map.slice(), map.entries().readingValues(), filter);
  }

  @Override
  public void clear() {
    map.clear();
  }
}
