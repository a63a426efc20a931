package io.varve.internal.map;

import io.varve.AsyncMap;
import io.varve.Codec;
import io.varve.Durability;
import io.varve.OrderedMap;
import io.varve.Space;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A space, or a slice of it in either direction, as a map. Sub-maps and descending maps are of
/// this class too: they differ in their [Slice] alone. Keeps nothing but what it was made of.
///
/// @param <K> the keys
/// @param <V> the values
public final class SpaceMap<K, V> extends AbstractMap<K, V> implements OrderedMap<K, V> {
  private final TypedSpace<K, V> entries;
  private final Slice slice;

  /// Makes a map of all of `space`, whose bytes `keys` and `values` must have written.
  public SpaceMap(Space space, Codec<K> keys, Codec<V> values) {
    this(new SpaceEntries(space), keys, values);
  }

  /// Makes a map of all entries of `store`, whose bytes `keys` and `values` must have written.
  public SpaceMap(EntryStore store, Codec<K> keys, Codec<V> values) {
    this(new TypedSpace<>(store, keys, values), Slice.ALL);
  }

  private SpaceMap(TypedSpace<K, V> entries, Slice slice) {
    this.entries = entries;
    this.slice = slice;
  }

  @Override
  public Space space() {
    return entries.store().space();
  }

  @Override
  public OrderedMap<K, V> with(Durability durability) {
    return new SpaceMap<>(entries.with(durability), slice);
  }

  @Override
  public AsyncMap<K, V> async() {
    return new MapWrites<>(this, unawaited(map -> map));
  }

  /// Changes that wait for nothing but to be applied, of what `shape` makes of this map.
  ///
  /// @throws UnsupportedOperationException if changes of this map are no commits of their own
  <M> UnawaitedView<M> unawaited(Function<SpaceMap<K, V>, M> shape) {
    EntryStore store = entries.store();
    var _ = store.pending(); // refuses
    return new UnawaitedView<>(
        store::pending, other -> shape.apply(new SpaceMap<>(entries.over(other), slice)));
  }

  TypedSpace<K, V> entries() {
    return entries;
  }

  Slice slice() {
    return slice;
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    Comparator<? super K> order = entries.table().keys().comparator();
    return slice.descending() ? reverse(order) : order;
  }

  @SuppressWarnings("unchecked") // a comparator of K or what K is; it takes any K
  private static <K> Comparator<? super K> reverse(@Nullable Comparator<? super K> order) {
    return order == null
        ? (Comparator<K>) Collections.reverseOrder()
        : Collections.reverseOrder((Comparator<K>) order);
  }

  @Override
  public @Nullable V get(Object key) {
    byte[] bytes = entries.keyBytes(key);
    return slice.contains(bytes) ? entries.value(bytes, entries.store().get(bytes)) : null;
  }

  @Override
  public boolean containsKey(Object key) {
    byte[] bytes = entries.keyBytes(key);
    return slice.contains(bytes) && entries.store().contains(bytes);
  }

  @Override
  public @Nullable V put(K key, V value) {
    byte[] bytes = writableKey(key);
    return entries.value(bytes, entries.store().getAndPut(bytes, entries.valueBytes(value)));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    byte[] bytes = writableKey(key);
    return entries.value(bytes, entries.store().putIfAbsent(bytes, entries.valueBytes(value)));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return entries.getAndReplace(writableKey(key), entries.valueBytes(value));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return entries.compareAndSet(writableKey(key), oldValue, entries.valueBytes(newValue));
  }

  @Override
  public @Nullable V remove(Object key) {
    byte[] bytes = entries.keyBytes(key);
    return slice.contains(bytes) ? entries.value(bytes, entries.store().getAndDelete(bytes)) : null;
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    byte[] bytes = entries.keyBytes(key);
    return value != null && slice.contains(bytes) && entries.compareAndSet(bytes, value, null);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super V, ? extends V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    byte[] bytes = entries.keyBytes(key);
    if (slice.contains(bytes)) {
      return entries.update(bytes, old -> remappingFunction.apply(key, old));
    }
    // What the view does not show is absent: it may stay so, as in the JDK's maps.
    if (remappingFunction.apply(key, null) != null) {
      slice.requireContains(bytes);
    }
    return null;
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    byte[] bytes = entries.keyBytes(key);
    return slice.contains(bytes)
        ? entries.updateIfPresent(bytes, old -> remappingFunction.apply(key, old))
        : null;
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends V> remappingFunction) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    return entries.update(
        writableKey(key), old -> old == null ? value : remappingFunction.apply(old, value));
  }

  private byte[] writableKey(K key) {
    byte[] bytes = entries.keyBytes(key);
    slice.requireContains(bytes);
    return bytes;
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    List<io.varve.Entry> changes = new ArrayList<>();
    map.forEach((key, value) ->
        changes.add(new io.varve.Entry(writableKey(key), entries.valueBytes(value))));
    if (!changes.isEmpty()) {
      entries.store().putAll(changes);
    }
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    var scan = new Scan(entries.store(), slice);
    while (scan.advance()) {
      byte[] bytes = scan.key();
      K key = entries.table().key(bytes);
      entries.updateIfPresent(bytes, old -> Objects.requireNonNull(function.apply(key, old)));
    }
  }

  @Override
  public void clear() {
    entries.store().deleteRange(slice.range());
  }

  @Override
  public int size() {
    return (int) Math.min(entries.store().count(slice.range()), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return firstKeyOf(slice) == null;
  }

  @Override
  public boolean containsValue(Object value) {
    return entries.containsValue(slice, value);
  }

  @Override
  public K firstKey() {
    return requirePresent(firstKeyOf(slice));
  }

  @Override
  public K lastKey() {
    return requirePresent(firstKeyOf(slice.reversed()));
  }

  private K requirePresent(@Nullable K key) {
    if (key == null) {
      throw new NoSuchElementException();
    }
    return key;
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return firstKeyOf(backwards(key, false));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return firstKeyOf(backwards(key, true));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return firstKeyOf(forwards(key, true));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return firstKeyOf(forwards(key, false));
  }

  private @Nullable K firstKeyOf(Slice part) {
    return entries.first(part, entries.readingKeys());
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return firstEntryOf(slice);
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return firstEntryOf(slice.reversed());
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return firstEntryOf(backwards(key, false));
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return firstEntryOf(backwards(key, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return firstEntryOf(forwards(key, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return firstEntryOf(forwards(key, false));
  }

  private Map.@Nullable Entry<K, V> firstEntryOf(Slice part) {
    return entries.first(part, entries.readingEntries());
  }

  private Slice forwards(K key, boolean inclusive) {
    return slice.from(entries.keyBytes(key), inclusive);
  }

  private Slice backwards(K key, boolean inclusive) {
    return slice.to(entries.keyBytes(key), inclusive).reversed();
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return entries.pollFirst(slice);
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return entries.pollFirst(slice.reversed());
  }

  @Override
  public OrderedMap<K, V> subMap(K fromKey, boolean fromInclusive, K toKey, boolean toInclusive) {
    return view(
        slice.between(
            entries.keyBytes(fromKey), fromInclusive, entries.keyBytes(toKey), toInclusive));
  }

  @Override
  public OrderedMap<K, V> headMap(K toKey, boolean inclusive) {
    return view(slice.endingAt(entries.keyBytes(toKey), inclusive));
  }

  @Override
  public OrderedMap<K, V> tailMap(K fromKey, boolean inclusive) {
    return view(slice.startingAt(entries.keyBytes(fromKey), inclusive));
  }

  @Override
  public OrderedMap<K, V> subMap(K fromKey, K toKey) {
    return subMap(fromKey, true, toKey, false);
  }

  @Override
  public OrderedMap<K, V> headMap(K toKey) {
    return headMap(toKey, false);
  }

  @Override
  public OrderedMap<K, V> tailMap(K fromKey) {
    return tailMap(fromKey, true);
  }

  @Override
  public OrderedMap<K, V> descendingMap() {
    return view(slice.reversed());
  }

  private OrderedMap<K, V> view(Slice part) {
    return new SpaceMap<>(entries, part);
  }

  @Override
  public NavigableSet<K> keySet() {
    return new KeyView<>(this, entries, slice);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return keySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Collection<V> values() {
    return new ValueView<>(this, entries, slice);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new EntryView<>(this, entries, slice);
  }
}
