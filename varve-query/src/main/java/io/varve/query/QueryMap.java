package io.varve.query;

import io.varve.Store;
import io.varve.UniqueIndexException;
import io.varve.query.internal.access.ObjectIndex;
import io.varve.query.internal.access.ObjectSource;
import io.varve.query.internal.access.Shadow;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Any map, with indexes of its objects: what changes it through this changes them, too.
///
/// ```java
/// static final QueryTable<String, Person> PEOPLE =
///     QueryTable.ofObjects("people", Codec.string(), Entity.of(Person.class)).index("city");
///
/// QueryMap<String, Person> map = QueryMap.over(new ConcurrentHashMap<>(), Store.inMemory(), PEOPLE);
/// map.put("1", ada);
/// map.table(PEOPLE).where(CITY.eq("Bonn")).list(); // the same object
/// ```
///
/// - **Changes:** all of `ConcurrentMap`, of its views and their iterators. What a unique index
///   refuses changes nothing. An object that is changed in place has to be put again. What is
///   changed in the map itself is not seen until [#reconcile()]; queries then find no wrong rows,
///   and may miss some.
/// - **Keys** that the map takes for equal must be equal bytes. Neither keys nor values are null.
/// - **Store:** the indexes are in a store of the caller, in memory or not. Opening compares them
///   with the map, so a crash leaves nothing that disagrees; changes of them do not wait for the
///   disk.
/// - **Threads:** as safe as the map. Changes of one key come one after the other, under one of 64
///   locks. Functions that are given to [#compute] and the like must not change other keys. A
///   thread that runs a transaction of the store cannot change the map.
///
/// @param <K> the keys
/// @param <V> the objects, of one class or several
/// @since 1.0
public final class QueryMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  // (M1) The thread that changes a key holds its lock, so index and map change in one order.
  // (M2) The index changes first, as it may refuse; if the map refuses, the index is set back. So
  // they agree while the lock is free.

  private final Map<K, V> map;
  private final ObjectTables<K> tables;
  private final ObjectIndex<K> index;
  private final KeyLocks locks = new KeyLocks();

  @SuppressWarnings("this-escape") // the source is used by queries alone, after construction
  private QueryMap(Map<K, V> map, Store store, Iterable<QueryTable<K, ? extends V>> definitions) {
    this.map = Objects.requireNonNull(map, "map");
    this.tables = ObjectTables.open(store, definitions, new Source());
    this.index = tables.index();
  }

  /// Opens indexes of the objects of a map, and compares them with the map, which no thread changes
  /// until this returns. Objects of other classes than those of the tables have no indexes.
  ///
  /// @param store that keeps the indexes, for this map alone under the names of the tables
  /// @param tables made by [QueryTable#ofObjects], one for each class that is asked for
  /// @throws UniqueIndexException if two objects have equal values in a unique index
  @SafeVarargs
  @SuppressWarnings("varargs") // they are read alone
  public static <K, V> QueryMap<K, V> over(
      Map<K, V> map, Store store, QueryTable<K, ? extends V>... tables) {
    QueryMap<K, V> over = new QueryMap<>(map, store, List.of(tables));
    over.reconcile();
    return over;
  }

  /// The objects of a class.
  ///
  /// @param definition one of those that this was opened with
  public <T> ObjectTable<K, T> table(QueryTable<K, T> definition) {
    return tables.find(definition);
  }

  /// Compares the indexes with the map, and repairs them: after changes of the map itself. Others
  /// may use this at the same time.
  ///
  /// @throws UniqueIndexException if two objects in the map have equal values in a unique index;
  ///   what was not compared yet is not repaired
  public Reconciliation reconcile() {
    // What the map has no more goes first: its values in unique indexes may be those of others now.
    AtomicLong removed = new AtomicLong();
    index.keys(key -> {
      if (!map.containsKey(key) && settle(key)) {
        removed.incrementAndGet();
      }
    });
    long compared = 0;
    long indexed = 0;
    List<K> freed = new ArrayList<>();
    for (K key : map.keySet()) {
      compared++;
      indexed += settle(key, freed) ? 1 : 0;
    }
    while (!freed.isEmpty()) {
      indexed += settle(freed.removeLast(), freed) ? 1 : 0;
    }
    return new Reconciliation(compared, indexed, removed.get());
  }

  private boolean settle(K key) {
    return locks.changing(key, () -> index.settle(key, map::get));
  }

  /// Settles a key, though old rows of others have its values in unique indexes: such a row goes.
  ///
  /// @param freed takes the keys whose rows went, which are to be settled after this
  private boolean settle(K key, List<K> freed) {
    boolean isChanged = false;
    for (Shadow<K, ?> shadow : index.shadows()) {
      isChanged |= settle(shadow, key, freed);
    }
    return isChanged;
  }

  private boolean settle(Shadow<K, ?> shadow, K key, List<K> freed) {
    while (true) {
      try {
        return locks.changing(key, () -> ObjectIndex.settle(shadow, key, map::get));
      } catch (UniqueIndexException e) {
        byte[] holderBytes = e.presentKey();
        K holder = shadow.table().key(holderBytes);
        if (!locks.changing(holder, () -> ObjectIndex.free(shadow, holderBytes, map::get))) {
          throw e;
        }
        freed.add(holder);
      }
    }
  }

  /// Sets the value of a key, or removes it, by something that does so in the map.
  private <T> @Nullable T write(K key, @Nullable V value, Function<Map<K, V>, @Nullable T> write) {
    V before = map.get(key);
    index.set(key, value);
    try {
      return write.apply(map);
    } catch (RuntimeException | Error e) {
      try {
        index.set(key, before);
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /// Sets what a change makes of the value, which may be the value itself.
  @SuppressWarnings("unchecked") // it comes of a table of objects that the map may have
  private void changed(K key, V present, ObjectSource.Change change) {
    V next = (V) change.make(present);
    try {
      set(key, next);
    } catch (RuntimeException | Error e) {
      change.undo();
      try {
        index.set(key, present); // where it was not refused: (M2)
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private @Nullable V set(K key, @Nullable V value) {
    return write(key, value, to -> value == null ? to.remove(key) : to.put(key, value));
  }

  /// Sets what a function makes of the value that is there.
  private @Nullable V changed(K key, Function<@Nullable V, @Nullable V> change) {
    Objects.requireNonNull(key, "key");
    return locks.changing(
        key,
        () -> {
          V before = map.get(key);
          V after = change.apply(before);
          if (before != null || after != null) {
            set(key, after);
          }
          return after;
        });
  }

  @Override
  public @Nullable V put(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return locks.<@Nullable V>changing(key, () -> set(key, value));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return locks.<@Nullable V>changing(
        key,
        () -> {
          V before = map.get(key);
          return before == null ? set(key, value) : before;
        });
  }

  @Override
  @SuppressWarnings("unchecked") // a key that is there is equal to one of the type
  public @Nullable V remove(@Nullable Object key) {
    if (key == null) {
      return null;
    }
    return locks.<@Nullable V>changing(key, () -> map.get(key) == null ? null : set((K) key, null));
  }

  @Override
  @SuppressWarnings("unchecked") // a key that is there is equal to one of the type
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    if (key == null || value == null) {
      return false;
    }
    return locks.changing(
        key,
        () -> {
          boolean isThere = value.equals(map.get(key));
          if (isThere) {
            set((K) key, null);
          }
          return isThere;
        });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return locks.<@Nullable V>changing(key, () -> map.get(key) == null ? null : set(key, value));
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    return locks.changing(
        key,
        () -> {
          boolean isThere = oldValue.equals(map.get(key));
          if (isThere) {
            set(key, newValue);
          }
          return isThere;
        });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
    return changed(key, before -> remapping.apply(key, before));
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
    Objects.requireNonNull(key, "key");
    return locks.<@Nullable V>changing(
        key,
        () -> {
          V before = map.get(key);
          V after = before == null ? mapping.apply(key) : before;
          if (before == null && after != null) {
            set(key, after);
          }
          return after;
        });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
    return changed(key, before -> before == null ? null : remapping.apply(key, before));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
    Objects.requireNonNull(value, "value");
    return changed(key, before -> before == null ? value : remapping.apply(before, value));
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    for (K key : map.keySet()) {
      computeIfPresent(
          key, (same, before) -> Objects.requireNonNull(function.apply(same, before), "value"));
    }
  }

  @Override
  public void clear() {
    locks.whileNoneChanges(() -> {
      index.clear();
      map.clear();
    });
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return map.get(key);
  }

  @Override
  public @Nullable V getOrDefault(@Nullable Object key, @Nullable V other) {
    return map.getOrDefault(key, other);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return map.containsKey(key);
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
  public Set<K> keySet() {
    return new Keys();
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new Entries();
  }

  /// What queries read, and change.
  private final class Source implements ObjectSource<K> {
    @Override
    public @Nullable Object find(K key) {
      return map.get(key);
    }

    @Override
    public boolean remove(K key, Object object) {
      return QueryMap.this.remove(key, object);
    }

    @Override
    @SuppressWarnings("unchecked") // both come of a table of objects that the map may have
    public boolean replace(K key, Object object, Object next) {
      return QueryMap.this.replace(key, (V) object, (V) next);
    }

    @Override
    public boolean change(K key, Object object, Change change) {
      return locks.changing(
          key,
          () -> {
            V present = map.get(key);
            boolean isThere = object.equals(present);
            if (present != null && isThere) {
              changed(key, present, change);
            }
            return isThere;
          });
    }

    @Override
    public boolean isFollowed() {
      return true;
    }
  }

  /// Entries of the map, whose removal and change come here.
  private final class EntryIterator implements Iterator<Entry<K, V>> {
    private final Iterator<Entry<K, V>> entries = map.entrySet().iterator();
    private @Nullable Entry<K, V> last;

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    public Entry<K, V> next() {
      last = entries.next();
      return new WrittenEntry(last);
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("there is no entry to remove: call next() before");
      }
      K key = last.getKey();
      last = null;
      locks.<@Nullable V>changing(
          key,
          () ->
              write(
                  key,
                  null,
                  _ -> {
                    entries.remove();
                    return null;
                  }));
    }
  }

  private final class WrittenEntry extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient Entry<K, V> entry;

    WrittenEntry(Entry<K, V> entry) {
      super(entry);
      this.entry = entry;
    }

    @Override
    public V setValue(V value) {
      Objects.requireNonNull(value, "value");
      locks.<@Nullable V>changing(
          getKey(), () -> write(getKey(), value, _ -> entry.setValue(value)));
      return super.setValue(value);
    }
  }

  private final class Entries extends AbstractSet<Entry<K, V>> {
    @Override
    public Iterator<Entry<K, V>> iterator() {
      return new EntryIterator();
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(@Nullable Object entry) {
      return map.entrySet().contains(entry);
    }

    @Override
    public boolean remove(@Nullable Object entry) {
      return entry instanceof Entry<?, ?> one && QueryMap.this.remove(one.getKey(), one.getValue());
    }

    @Override
    public void clear() {
      QueryMap.this.clear();
    }
  }

  private final class Keys extends AbstractSet<K> {
    @Override
    public Iterator<K> iterator() {
      Iterator<Entry<K, V>> entries = new EntryIterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public K next() {
          return entries.next().getKey();
        }

        @Override
        public void remove() {
          entries.remove();
        }
      };
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return map.containsKey(key);
    }

    @Override
    public boolean remove(@Nullable Object key) {
      return QueryMap.this.remove(key) != null;
    }

    @Override
    public void clear() {
      QueryMap.this.clear();
    }
  }
}
