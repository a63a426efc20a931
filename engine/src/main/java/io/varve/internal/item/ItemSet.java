package io.varve.internal.item;

import io.varve.internal.map.MapKeys;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;

/// The keys of a map whose values are nothing, as a set that takes elements.
final class ItemSet<E> extends MapKeys<E, ConcurrentNavigableMap<E, Boolean>> {
  ItemSet(ConcurrentNavigableMap<E, Boolean> map) {
    super(map);
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, true) == null;
  }

  @Override
  public Iterator<E> iterator() {
    return map.navigableKeySet().iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return map.navigableKeySet().spliterator();
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return new ItemSet<>(map.descendingMap());
  }

  @Override
  public NavigableSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive) {
    return new ItemSet<>(map.subMap(from, fromInclusive, to, toInclusive));
  }

  @Override
  public NavigableSet<E> headSet(E to, boolean inclusive) {
    return new ItemSet<>(map.headMap(to, inclusive));
  }

  @Override
  public NavigableSet<E> tailSet(E from, boolean inclusive) {
    return new ItemSet<>(map.tailMap(from, inclusive));
  }
}
