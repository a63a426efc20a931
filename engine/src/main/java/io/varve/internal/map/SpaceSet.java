package io.varve.internal.map;

import io.varve.AsyncSet;
import io.varve.Codec;
import io.varve.Durability;
import io.varve.OrderedMap;
import io.varve.OrderedSet;
import io.varve.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;

/// The keys of a space, or of a slice of it in either direction, as a set that takes elements.
///
/// @param <E> the elements
public final class SpaceSet<E> extends MapKeys<E, SpaceMap<E, Boolean>> implements OrderedSet<E> {
  private static final byte[] NO_BYTES = {};

  /// Whatever a key has as its value, the key is there.
  private static final Codec<Boolean> PRESENCE = Codec.of(_ -> NO_BYTES, _ -> true);

  /// Makes a set of all keys of `space`, whose bytes `elements` must have written.
  public SpaceSet(Space space, Codec<E> elements) {
    this(new SpaceMap<>(space, elements, PRESENCE));
  }

  /// Makes a set of all keys of `store`, whose bytes `elements` must have written.
  public SpaceSet(EntryStore store, Codec<E> elements) {
    this(new SpaceMap<>(store, elements, PRESENCE));
  }

  private SpaceSet(SpaceMap<E, Boolean> map) {
    super(map);
  }

  @Override
  public Space space() {
    return map.space();
  }

  @Override
  public OrderedSet<E> with(Durability durability) {
    return view(map.with(durability));
  }

  @Override
  public AsyncSet<E> async() {
    return new SetWrites<>(this, map.unawaited(SpaceSet::new));
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, true) == null;
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    List<byte[]> keys = new ArrayList<>(elements.size());
    for (E element : elements) {
      byte[] key = map.entries().keyBytes(element);
      map.slice().requireContains(key);
      keys.add(key);
    }
    if (keys.isEmpty()) {
      return false;
    }
    return map.entries().store().addAll(keys, NO_BYTES);
  }

  /// Looks at what is to be removed, however large this set is: as the JDK's concurrent sets do.
  @Override
  public boolean removeAll(Collection<?> elements) {
    boolean removed = false;
    for (Object element : elements) {
      removed |= remove(element);
    }
    return removed;
  }

  @Override
  public Iterator<E> iterator() {
    return map.navigableKeySet().iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return map.navigableKeySet().spliterator();
  }

  private static <E> OrderedSet<E> view(OrderedMap<E, Boolean> map) {
    return new SpaceSet<>((SpaceMap<E, Boolean>) map);
  }

  @Override
  public OrderedSet<E> descendingSet() {
    return view(map.descendingMap());
  }

  @Override
  public OrderedSet<E> subSet(E from, boolean fromInclusive, E to, boolean toInclusive) {
    return view(map.subMap(from, fromInclusive, to, toInclusive));
  }

  @Override
  public OrderedSet<E> headSet(E to, boolean inclusive) {
    return view(map.headMap(to, inclusive));
  }

  @Override
  public OrderedSet<E> tailSet(E from, boolean inclusive) {
    return view(map.tailMap(from, inclusive));
  }

  @Override
  public OrderedSet<E> subSet(E from, E to) {
    return subSet(from, true, to, false);
  }

  @Override
  public OrderedSet<E> headSet(E to) {
    return headSet(to, false);
  }

  @Override
  public OrderedSet<E> tailSet(E from) {
    return tailSet(from, true);
  }
}
