package io.varve.internal.map;

import static java.util.Spliterator.CONCURRENT;
import static java.util.Spliterator.DISTINCT;
import static java.util.Spliterator.NONNULL;
import static java.util.Spliterator.ORDERED;
import static java.util.Spliterator.SORTED;

import io.varve.OrderedMap;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Spliterator;

/// The keys of a map, live: each part of the set is the set of a part of the map.
///
/// @param <K> the keys
final class KeyView<K> extends MapKeys<K, OrderedMap<K, ?>> {
  private final TypedSpace<K, ?> entries;
  private final Slice slice;

  /// @param map of the entries of the slice
  KeyView(OrderedMap<K, ?> map, TypedSpace<K, ?> entries, Slice slice) {
    super(map);
    this.entries = entries;
    this.slice = slice;
  }

  @Override
  public Iterator<K> iterator() {
    return new ScanIterator<>(entries.store(), slice, entries.readingKeys());
  }

  @Override
  public Spliterator<K> spliterator() {
    return new ScanSpliterator<>(
        entries.store(),
        slice,
        entries.readingKeys(),
        ORDERED | DISTINCT | SORTED | CONCURRENT | NONNULL,
        map.comparator());
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return map.descendingKeySet();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return map.subMap(from, fromInclusive, to, toInclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return map.headMap(to, inclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return map.tailMap(from, inclusive).navigableKeySet();
  }
}
