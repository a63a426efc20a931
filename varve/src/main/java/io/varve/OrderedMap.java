package io.varve;

import java.util.concurrent.ConcurrentNavigableMap;

/// A space as a sorted map of typed keys and values: a full [ConcurrentNavigableMap].
///
/// - Single operations are linearizable and as durable as the store's [StoreOptions#durability()].
///   Conditional ones (`putIfAbsent`, `replace`, `compute`, `merge`) are atomic.
/// - Keys are ordered as the bytes of their codec; [#comparator()] tells that order. Equality of
///   keys is equality of their bytes, and so is equality of values where an operation compares.
/// - Values are encoded when they are given: a later change of the object is not stored.
/// - Iterators, spliterators and bulk operations are weakly consistent; `size()` counts, from page
///   counts where it can.
/// - Views (sub-map, descending, key set) are live and write through.
/// - Null keys and values are refused.
///
/// @param <K> the keys
/// @param <V> the values
public interface OrderedMap<K, V> extends ConcurrentNavigableMap<K, V> {
  /// The space that holds the entries.
  Space space();

  @Override
  OrderedMap<K, V> subMap(K fromKey, boolean fromInclusive, K toKey, boolean toInclusive);

  @Override
  OrderedMap<K, V> headMap(K toKey, boolean inclusive);

  @Override
  OrderedMap<K, V> tailMap(K fromKey, boolean inclusive);

  @Override
  OrderedMap<K, V> subMap(K fromKey, K toKey);

  @Override
  OrderedMap<K, V> headMap(K toKey);

  @Override
  OrderedMap<K, V> tailMap(K fromKey);

  @Override
  OrderedMap<K, V> descendingMap();
}
