package io.varve.internal.item;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/// The keys of a map whose values are nothing, as a set that takes elements.
final class ItemSet<E> extends AbstractSet<E> implements NavigableSet<E> {
  private final ConcurrentNavigableMap<E, Boolean> map;

  ItemSet(ConcurrentNavigableMap<E, Boolean> map) {
    this.map = map;
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, true) == null;
  }

  @Override
  public boolean remove(Object element) {
    return map.remove(element) != null;
  }

  @Override
  public boolean contains(Object element) {
    return map.containsKey(element);
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
  public void clear() {
    map.clear();
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
  public @Nullable Comparator<? super E> comparator() {
    return map.comparator();
  }

  @Override
  public E first() {
    return map.firstKey();
  }

  @Override
  public E last() {
    return map.lastKey();
  }

  @Override
  public @Nullable E lower(E element) {
    return map.lowerKey(element);
  }

  @Override
  public @Nullable E floor(E element) {
    return map.floorKey(element);
  }

  @Override
  public @Nullable E ceiling(E element) {
    return map.ceilingKey(element);
  }

  @Override
  public @Nullable E higher(E element) {
    return map.higherKey(element);
  }

  @Override
  public @Nullable E pollFirst() {
    var entry = map.pollFirstEntry();
    return entry == null ? null : entry.getKey();
  }

  @Override
  public @Nullable E pollLast() {
    var entry = map.pollLastEntry();
    return entry == null ? null : entry.getKey();
  }

  @Override
  public NavigableSet<E> descendingSet() {
    return new ItemSet<>(map.descendingMap());
  }

  @Override
  public Iterator<E> descendingIterator() {
    return descendingSet().iterator();
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

  @Override
  public NavigableSet<E> subSet(E from, E to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<E> headSet(E to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<E> tailSet(E from) {
    return tailSet(from, true);
  }
}
