package io.varve.internal.map;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/// The keys of a map, live, as far as that is the same however they are iterated and cut.
///
/// @param <K> the keys
/// @param <M> the map
public abstract class MapKeys<K, M extends NavigableMap<K, ?>> extends AbstractSet<K>
    implements NavigableSet<K> {
  /// The map of these keys.
  protected final M map;

  /// Makes the set of the keys of a map.
  protected MapKeys(M map) {
    this.map = map;
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
  public boolean contains(Object key) {
    return map.containsKey(key);
  }

  @Override
  public boolean remove(Object key) {
    return map.remove(key) != null;
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return map.comparator();
  }

  @Override
  public K first() {
    return map.firstKey();
  }

  @Override
  public K last() {
    return map.lastKey();
  }

  @Override
  public @Nullable K lower(K key) {
    return map.lowerKey(key);
  }

  @Override
  public @Nullable K floor(K key) {
    return map.floorKey(key);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return map.ceilingKey(key);
  }

  @Override
  public @Nullable K higher(K key) {
    return map.higherKey(key);
  }

  @Override
  public @Nullable K pollFirst() {
    return keyOf(map.pollFirstEntry());
  }

  @Override
  public @Nullable K pollLast() {
    return keyOf(map.pollLastEntry());
  }

  private static <K> @Nullable K keyOf(Map.@Nullable Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
