package io.varve;

import java.util.NavigableSet;

/// The keys of a space as a sorted set of typed elements: a full [NavigableSet], which takes
/// elements, too. Made by [Store#set(String, Codec)].
///
/// - **Order:** elements come as the bytes of their codec do; [#comparator()] returns that order,
///   null for the natural one. Elements are equal when their bytes are.
/// - **Isolation:** operations on one element are linearizable. `addAll` and `clear` are one commit
///   each. All else that visits many elements (iterators, streams, `removeIf`, `retainAll`) is
///   weakly consistent: elements in order, none twice.
/// - **Polling:** `pollFirst` and `pollLast` give each element to one caller only; one that others
///   add at that end concurrently may be passed over.
/// - **Durability:** a change returns when [StoreOptions#durability()] holds, or that of
///   [#with(Durability)]. To add what is there, or to remove what is not, is no change.
/// - **Views** (sub-sets, descending sets) are live and write through. An element added outside of
///   a view's bounds is an [IllegalArgumentException].
/// - **Values:** elements are put with values of no bytes. A space that has other values may be
///   used as a set of its keys; they are left alone. Add nothing to the keys of a [Table]: most
///   codecs cannot read a value of no bytes.
/// - **Cost:** `size()` counts, from page counts where it can. Iterators hold no resource and need
///   not be exhausted.
/// - **Refusals:** null elements are refused, and so is what the codec refuses, in questions too.
///
/// @param <E> the elements
/// @since 1.0
public interface OrderedSet<E> extends NavigableSet<E> {
  /// The space that holds the elements.
  Space space();

  /// This set, where each change returns when the promise of `durability` holds, as
  /// [OrderedMap#with(Durability)] is the map.
  ///
  /// @throws IllegalArgumentException if a store of this kind cannot promise that
  /// @throws UnsupportedOperationException if this is the set of a transaction, whose commit alone
  ///   has a durability, or of a snapshot, which does not change
  /// @since 1.0
  OrderedSet<E> with(Durability durability);

  /// Changes of this set that do not wait for the disk, as [OrderedMap#async()] has those of a map.
  ///
  /// @throws UnsupportedOperationException if this is the set of a transaction, whose commit alone
  ///   is awaited, or of a snapshot, which does not change
  /// @since 1.0
  AsyncSet<E> async();

  @Override
  OrderedSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive);

  @Override
  OrderedSet<E> headSet(E to, boolean inclusive);

  @Override
  OrderedSet<E> tailSet(E from, boolean inclusive);

  @Override
  OrderedSet<E> subSet(E from, E to);

  @Override
  OrderedSet<E> headSet(E to);

  @Override
  OrderedSet<E> tailSet(E from);

  @Override
  OrderedSet<E> descendingSet();

  @Override
  default OrderedSet<E> reversed() {
    return descendingSet();
  }
}
