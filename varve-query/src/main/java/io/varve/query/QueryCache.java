package io.varve.query;

import io.varve.Store;
import io.varve.query.internal.access.ObjectIndex;
import io.varve.query.internal.access.ObjectSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import org.jspecify.annotations.Nullable;

/// Any cache of JCache, with indexes of its objects: a synchronous listener follows its changes,
/// whichever thread makes them.
///
/// ```java
/// QueryCache<String, Person> people = QueryCache.over(cache, Store.inMemory(), PEOPLE);
/// cache.put("1", ada);
/// people.table(PEOPLE).where(CITY.eq("Bonn")).list();
/// ```
///
/// - **Answers:** each object is what the cache has when it is read, and is compared with the whole
///   condition, so none is wrong. Counts read the objects for the same reason. Asking for them
///   counts as use of the entries, and loads none.
/// - **What is missed:** an object of which the cache has notified no listener, as some do of
///   loaded ones; and the newer of two values that threads put under one key, if the cache reports
///   them in the other order. [#reconcile()] finds them.
/// - **What stays:** caches notify no listener of `clear` and, mostly, of evictions. The indexes
///   keep such entries, which no query gives, until [#reconcile()].
/// - **Unique indexes** are refused: a listener cannot refuse what the cache has done.
/// - **Threads:** safe for any number of threads. A thread that runs a transaction of the store
///   cannot change the cache.
///
/// @param <K> the keys
/// @param <V> the objects, of one class or several
/// @since 1.0
public final class QueryCache<K, V> implements AutoCloseable {
  private final Cache<K, V> cache;
  private final ObjectTables<K> tables;
  private final CacheEntryListenerConfiguration<K, V> listening;

  private QueryCache(Cache<K, V> cache, Store store, List<QueryTable<K, ? extends V>> definitions) {
    this.cache = Objects.requireNonNull(cache, "cache");
    this.tables = ObjectTables.open(store, definitions, new Source<>(cache));
    Follower<K, V> follower = new Follower<>(tables.index());
    this.listening =
        new MutableCacheEntryListenerConfiguration<>(() -> follower, null, false, true);
  }

  /// Follows a cache from now on, and indexes what it has. Others may use it.
  ///
  /// @param store that keeps the indexes, for this cache alone under the names of the tables
  /// @param tables made by [QueryTable#ofObjects], one for each class that is asked for
  /// @throws IllegalArgumentException if one of them has a unique index
  @SafeVarargs
  @SuppressWarnings("varargs") // they are read alone
  public static <K, V> QueryCache<K, V> over(
      Cache<K, V> cache, Store store, QueryTable<K, ? extends V>... tables) {
    for (QueryTable<K, ? extends V> table : tables) {
      requireNotUnique(table);
    }
    QueryCache<K, V> over = new QueryCache<>(cache, store, List.of(tables));
    cache.registerCacheEntryListener(over.listening);
    try {
      over.reconcile();
      return over;
    } catch (RuntimeException | Error e) {
      over.close();
      throw e;
    }
  }

  private static <V> void requireNotUnique(QueryTable<?, V> table) {
    for (QueryIndex<V> index : table.indexes()) {
      if (index.isUnique()) {
        throw new IllegalArgumentException(
            "an index of a cache cannot be unique, as it follows what the cache has done: table="
                + table.table().name()
                + ", index="
                + index.name());
      }
    }
  }

  /// The objects of a class.
  ///
  /// @param definition one of those that this was opened with
  public <T> ObjectTable<K, T> table(QueryTable<K, T> definition) {
    return tables.find(definition);
  }

  /// The cache.
  public Cache<K, V> cache() {
    return cache;
  }

  /// Compares the indexes with the cache, and repairs them, while others use it. Reads all entries.
  public Reconciliation reconcile() {
    long compared = 0;
    long indexed = 0;
    for (Cache.Entry<K, V> entry : cache) {
      compared++;
      indexed += settle(entry.getKey()) ? 1 : 0;
    }
    AtomicLong removed = new AtomicLong();
    tables
        .index()
        .keys(key -> {
          if (!cache.containsKey(key) && settle(key)) {
            removed.incrementAndGet();
          }
        });
    return new Reconciliation(compared, indexed, removed.get());
  }

  private boolean settle(K key) {
    return tables.index().settle(key, each -> Source.find(cache, each));
  }

  /// Follows the cache no longer. Cache and store stay open.
  @Override
  public void close() {
    cache.deregisterCacheEntryListener(listening);
  }

  /// What queries read, and change.
  private record Source<K, V>(Cache<K, V> cache) implements ObjectSource<K> {
    @Override
    public @Nullable Object find(K key) {
      return find(cache, key);
    }

    /// A cache would load what it does not have.
    static <K, V> @Nullable V find(Cache<K, V> cache, K key) {
      return cache.containsKey(key) ? cache.get(key) : null;
    }

    @Override
    @SuppressWarnings("unchecked") // it comes of the cache
    public boolean remove(K key, Object object) {
      return cache.remove(key, (V) object);
    }

    @Override
    @SuppressWarnings("unchecked") // both come of a table of objects that the cache may have
    public boolean replace(K key, Object object, Object next) {
      return cache.replace(key, (V) object, (V) next);
    }

    @Override
    public boolean isFollowed() {
      return false;
    }
  }

  /// Does to the indexes what was done to the cache.
  private record Follower<K, V>(ObjectIndex<K> index)
      implements CacheEntryCreatedListener<K, V>,
          CacheEntryUpdatedListener<K, V>,
          CacheEntryRemovedListener<K, V>,
          CacheEntryExpiredListener<K, V> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
      events.forEach(event -> index.set(event.getKey(), event.getValue()));
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
      onCreated(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
      events.forEach(event -> index.set(event.getKey(), null));
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends K, ? extends V>> events) {
      onRemoved(events);
    }
  }
}
