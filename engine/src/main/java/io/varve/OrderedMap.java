package io.varve;

import java.util.concurrent.ConcurrentNavigableMap;

/// A space as a sorted map of typed keys and values: a full [ConcurrentNavigableMap].
///
/// - **Order:** keys come as the bytes of their codec do; [#comparator()] returns that order, null
///   for the natural one. Keys are equal when their bytes are.
/// - **Isolation:** operations on one key are linearizable. Conditional ones (`putIfAbsent`,
///   `replace`, `remove` of a value, `compute`, `merge`) are atomic; their functions run outside of
///   all locks and may run again when another change comes between. `putAll` and `clear` are one
///   commit each. All else that visits many entries (iterators, streams, `replaceAll`, `removeIf`)
///   is weakly consistent: keys in order, none twice, each changed only if it still has the value
///   that was seen.
/// - **Polling:** `pollFirstEntry` and `pollLastEntry` give each entry to one caller only; an entry
///   that others put at that end concurrently may be passed over.
/// - **Durability:** a change returns when [StoreOptions#durability()] holds, or that of
///   [#with(Durability)].
/// - **Values** are encoded when they are given: a later change of the object is not stored. Where
///   an operation compares, they are equal if their bytes are, or if [Object#equals(Object)]
///   returns true.
/// - **Entries** given out are copies that do not change; they refuse `setValue`.
/// - **Views** (sub-maps, descending maps, key sets, values) are live and write through. A key put
///   outside of a view's bounds is an [IllegalArgumentException].
/// - **Cost:** `size()` counts, from page counts where it can. Iterators hold no resource and need
///   not be exhausted.
/// - **Refusals:** null keys and values are refused, and so is what a codec refuses, in questions
///   too.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public interface OrderedMap<K, V> extends ConcurrentNavigableMap<K, V> {
  /// The space that holds the entries.
  Space space();

  /// This map, where each change returns when the promise of `durability` holds:
  /// `map.with(Durability.BACKGROUND).put(key, value)`. That is so for changes by its views and
  /// iterators, too, and for `space()`. Costs nothing to make, and may be kept.
  ///
  /// @throws IllegalArgumentException if a store of this kind cannot promise that
  /// @throws UnsupportedOperationException if this is the map of a transaction, whose commit alone
  ///   has a durability, or of a snapshot, which does not change
  /// @since 1.0
  OrderedMap<K, V> with(Durability durability);

  /// Changes of this map that do not wait for the disk: their stages give what the change gives,
  /// with its commit. They have the durability of this map, and its bounds if it is a view.
  ///
  /// @throws UnsupportedOperationException if this is the map of a transaction, whose commit alone
  ///   is awaited, or of a snapshot, which does not change
  /// @since 1.0
  AsyncMap<K, V> async();

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
