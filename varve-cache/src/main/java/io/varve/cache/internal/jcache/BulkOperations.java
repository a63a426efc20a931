package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.Turn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/// Calls for many keys. The loader or the writer is called for a batch of them, with the locks of
/// all held. So nobody changes one of them between the source's change and the cache's.
final class BulkOperations<K, V> {
  private static final System.Logger LOGGER = System.getLogger(BulkOperations.class.getName());

  /// Turns held at a time, and so keys given to a loader or writer at a time.
  private static final int BATCH = 1000;

  private final Operations<K, V> operations;
  private final Source<K, V> source;
  private final Executor executor;

  BulkOperations(Operations<K, V> operations, Executor executor) {
    this.operations = operations;
    this.source = operations.source();
    this.executor = executor;
  }

  private static <T> void inBatches(Iterator<T> all, Consumer<List<T>> each) {
    List<T> batch = new ArrayList<>();
    while (all.hasNext()) {
      batch.add(all.next());
      if (batch.size() == BATCH || !all.hasNext()) {
        each.accept(batch);
        batch = new ArrayList<>();
      }
    }
  }

  private List<CacheKey<K>> keysOf(Collection<? extends K> keys) {
    List<CacheKey<K>> wrapped = new ArrayList<>(keys.size());
    keys.forEach(key -> wrapped.add(operations.keyOf(key)));
    return wrapped;
  }

  private static <K> Set<K> distinct(Set<? extends K> keys) {
    Set<K> distinct = new HashSet<>();
    keys.forEach(key -> distinct.add(Objects.requireNonNull(key, "key")));
    return distinct;
  }

  // Loading.

  void loadAll(Set<? extends K> keys, boolean replaces, CompletionListener listener) {
    Set<K> wanted = distinct(keys);
    executor.execute(() -> {
      try {
        inBatches(wanted.iterator(), batch -> load(batch, replaces));
      } catch (CacheLoaderException e) {
        listener.onException(e);
        return;
      } catch (Throwable e) { // an error, too: somebody waits for an answer
        listener.onException(new CacheLoaderException("loading failed: cause=" + e, e));
        return;
      }
      listener.onCompletion();
    });
  }

  /// Who hears of a call without a listener.
  static CompletionListener noListener() {
    return new CompletionListener() {
      @Override
      public void onCompletion() {
        // nobody wants to know
      }

      @Override
      public void onException(Exception e) {
        LOGGER.log(System.Logger.Level.WARNING, "entries of a cache were not loaded", e);
      }
    };
  }

  private void load(List<K> keys, boolean replaces) {
    operations.changeAll(
        keysOf(keys),
        turns -> {
          Map<K, Turn<K>> wanted = new HashMap<>();
          for (Turn<K> turn : turns) {
            if (replaces || operations.present(turn, operations.nowMillis()) == null) {
              wanted.put(turn.key().key(), turn);
            }
          }
          if (!wanted.isEmpty()) {
            source
                .loadAll(wanted.keySet())
                .forEach((key, value) -> {
                  Turn<K> turn = wanted.get(key);
                  if (turn != null && value != null) {
                    set(turn, value);
                  }
                });
          }
          return true;
        });
  }

  private boolean set(Turn<K> turn, V value) {
    long now = operations.nowMillis();
    return operations.set(turn, value, operations.present(turn, now), now);
  }

  // Putting.

  void putAll(Map<? extends K, ? extends V> map) {
    Map<K, V> all = new HashMap<>();
    map.forEach((key, value) ->
        all.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")));
    if (source.writer() == null) {
      all.forEach((key, value) ->
          operations.change(operations.keyOf(key), turn -> putWritten(turn, value)));
    } else {
      inBatches(all.keySet().iterator(), batch -> write(batch, all));
    }
  }

  private void write(List<K> keys, Map<K, V> values) {
    operations.changeAll(
        keysOf(keys),
        turns -> {
          Map<K, Cache.Entry<? extends K, ? extends V>> entries = new HashMap<>();
          keys.forEach(key ->
              entries.put(key, new KeyValue<>(key, Objects.requireNonNull(values.get(key)))));
          Collection<Cache.Entry<? extends K, ? extends V>> unwritten =
              new ArrayList<>(entries.values());
          RuntimeException failure = null;
          try {
            source.writeAll(unwritten);
          } catch (RuntimeException e) {
            failure = e;
            unwritten.forEach(entry -> entries.remove(entry.getKey()));
          }
          for (Turn<K> turn : turns) {
            Cache.Entry<? extends K, ? extends V> written = entries.get(turn.key().key());
            if (written != null) {
              putWritten(turn, written.getValue());
            }
          }
          return orThrow(failure);
        });
  }

  private boolean putWritten(Turn<K> turn, V value) {
    Counters counters = operations.counters();
    long start = counters.start();
    boolean stored = set(turn, value);
    if (stored) {
      counters.put();
    }
    counters.took(counters.sets, start);
    return stored;
  }

  /// Ends a batch of which some may be done though its writer failed.
  private static boolean orThrow(@Nullable RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
    return true;
  }

  // Removing.

  void removeAll(Set<? extends K> keys) {
    removeEach(BulkOperations.<K>distinct(keys).iterator());
  }

  /// Removes keys, of which each is given once.
  void removeEach(Iterator<K> keys) {
    if (source.writer() == null) {
      keys.forEachRemaining(key -> operations.change(operations.keyOf(key), this::removeDeleted));
    } else {
      inBatches(keys, this::delete);
    }
  }

  private void delete(List<K> keys) {
    operations.changeAll(
        keysOf(keys),
        turns -> {
          Collection<K> undeleted = new ArrayList<>(keys);
          Set<K> kept = Set.of();
          RuntimeException failure = null;
          try {
            source.deleteAll(undeleted);
          } catch (RuntimeException e) {
            failure = e;
            kept = new HashSet<>(undeleted);
          }
          for (Turn<K> turn : turns) {
            if (!kept.contains(turn.key().key())) {
              removeDeleted(turn);
            }
          }
          return orThrow(failure);
        });
  }

  private boolean removeDeleted(Turn<K> turn) {
    Counters counters = operations.counters();
    long start = counters.start();
    Held held = operations.present(turn, operations.nowMillis());
    if (held != null) {
      operations.remove(turn, held);
    }
    counters.took(counters.removes, start);
    return held != null;
  }
}
