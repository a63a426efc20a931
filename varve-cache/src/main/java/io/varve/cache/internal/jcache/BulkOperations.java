package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.KeyLock;
import io.varve.cache.internal.container.NewValue;
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

/// Calls for many keys. The loader or the writer is called for a batch of them, with the locks of
/// all held. So no other thread changes one of them between the source's change and the cache's. A
/// key whose change fails keeps no other one of its batch from being changed (WT-1).
final class BulkOperations<K, V> {
  private static final System.Logger LOGGER = System.getLogger(BulkOperations.class.getName());

  /// Locks of keys held at a time, and so keys given to a loader or writer at a time.
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
      } catch (Throwable e) { // an error, too: a caller waits for an answer
        listener.onException(new CacheLoaderException("loading failed: cause=" + e, e));
        return;
      }
      listener.onCompletion();
    });
  }

  /// The listener of a call that was given none.
  static CompletionListener noListener() {
    return new CompletionListener() {
      @Override
      public void onCompletion() {
        // no caller wants to know
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
        locks -> {
          Map<K, KeyLock<K>> wanted = new HashMap<>();
          for (KeyLock<K> lock : locks) {
            if (replaces || operations.present(lock, operations.nowMillis()) == null) {
              wanted.put(lock.key().key(), lock);
            }
          }
          if (!wanted.isEmpty()) {
            source
                .loadAll(wanted.keySet())
                .forEach((key, value) -> {
                  KeyLock<K> lock = wanted.get(key);
                  if (lock != null && value != null) {
                    set(lock, operations.newValue(lock, value));
                  }
                });
          }
          return true;
        });
  }

  private boolean set(KeyLock<K> lock, NewValue<V> value) {
    long now = operations.nowMillis();
    return operations.set(lock, value, operations.present(lock, now), now);
  }

  // Putting.

  void putAll(Map<? extends K, ? extends V> map) {
    Map<K, V> all = new HashMap<>();
    map.forEach((key, value) ->
        all.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")));
    if (source.writer() == null) {
      operations.changeEach(
          all.keySet().iterator(),
          lock -> {
            V value = Objects.requireNonNull(all.get(lock.key().key()));
            putWritten(lock, operations.newValue(lock, value));
          });
    } else {
      inBatches(all.keySet().iterator(), batch -> write(batch, all));
    }
  }

  private void write(List<K> keys, Map<K, V> values) {
    operations.changeAll(
        keysOf(keys),
        locks -> {
          Map<K, NewValue<V>> made = new HashMap<>();
          Collection<Cache.Entry<? extends K, ? extends V>> unwritten = new ArrayList<>();
          for (KeyLock<K> lock : locks) {
            K key = lock.key().key();
            V value = Objects.requireNonNull(values.get(key));
            made.put(key, operations.newValue(lock, value));
            unwritten.add(new KeyValue<>(key, value));
          }
          Closing changes = new Closing();
          try {
            source.writeAll(unwritten);
          } catch (RuntimeException e) {
            changes.failed(e);
            unwritten.forEach(entry -> made.remove(entry.getKey()));
          }
          for (KeyLock<K> lock : locks) {
            NewValue<V> written = made.get(lock.key().key());
            if (written != null) {
              changes.step(() -> operations.afterSource(lock, () -> putWritten(lock, written)));
            }
          }
          changes.end();
          return true;
        });
  }

  private boolean putWritten(KeyLock<K> lock, NewValue<V> value) {
    Counters counters = operations.counters();
    long start = counters.start();
    boolean stored = set(lock, value);
    if (stored) {
      counters.put();
    }
    counters.took(counters.sets, start);
    return stored;
  }

  // Removing.

  void removeAll(Set<? extends K> keys) {
    removeEach(BulkOperations.<K>distinct(keys).iterator());
  }

  /// Removes keys, of which each is given once.
  void removeEach(Iterator<K> keys) {
    if (source.writer() == null) {
      operations.changeEach(keys, this::removeDeleted);
    } else {
      inBatches(keys, this::delete);
    }
  }

  private void delete(List<K> keys) {
    operations.changeAll(
        keysOf(keys),
        locks -> {
          Collection<K> undeleted = new ArrayList<>(keys);
          Set<K> kept = new HashSet<>();
          Closing changes = new Closing();
          try {
            source.deleteAll(undeleted);
          } catch (RuntimeException e) {
            changes.failed(e);
            kept.addAll(undeleted);
          }
          for (KeyLock<K> lock : locks) {
            if (!kept.contains(lock.key().key())) {
              changes.step(() -> removeDeleted(lock));
            }
          }
          changes.end();
          return true;
        });
  }

  private boolean removeDeleted(KeyLock<K> lock) {
    Counters counters = operations.counters();
    long start = counters.start();
    Held held = operations.present(lock, operations.nowMillis());
    if (held != null) {
      operations.remove(lock, held);
    }
    counters.took(counters.removes, start);
    return held != null;
  }
}
