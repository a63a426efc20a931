package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.KeyLock;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Calls that change one key, each under the lock of the key.
final class KeyOperations<K, V> {
  private final Operations<K, V> operations;
  private final Counters counters;

  KeyOperations(Operations<K, V> operations) {
    this.operations = operations;
    this.counters = operations.counters();
  }

  void put(K key, V value, Expiry ofEntry) {
    CacheKey<K> changed = operations.keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    boolean stored =
        operations.change(
            changed,
            lock ->
                operations.write(
                    lock,
                    value,
                    made -> {
                      long now = operations.nowMillis();
                      Held held = operations.present(lock, now);
                      return operations.set(lock, made, held, now, ofEntry);
                    }));
    if (stored) {
      counters.put();
    }
    counters.took(counters.sets, start);
  }

  @Nullable V getAndPut(K key, V value) {
    CacheKey<K> changed = operations.keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return operations.change(
        changed,
        lock ->
            operations.write(
                lock,
                value,
                made -> {
                  long now = operations.nowMillis();
                  Held held = operations.present(lock, now);
                  V old = operations.returned(held);
                  operations.set(lock, made, held, now);
                  counters.lookup(held != null);
                  counters.put();
                  counters.took(counters.gets, start);
                  counters.took(counters.sets, start);
                  return old;
                }));
  }

  boolean putIfAbsent(K key, V value, Expiry ofEntry) {
    CacheKey<K> changed = operations.keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return operations.change(
        changed,
        lock -> {
          Held held = operations.present(lock, operations.nowMillis());
          counters.lookup(held != null);
          if (held != null) {
            return false;
          }
          boolean stored =
              operations.write(
                  lock,
                  value,
                  made -> operations.set(lock, made, null, operations.nowMillis(), ofEntry));
          if (stored) {
            counters.put();
            counters.took(counters.sets, start);
          }
          return stored;
        });
  }

  boolean remove(K key) {
    CacheKey<K> removed = operations.keyOf(key);
    long start = counters.start();
    boolean wasThere =
        operations.change(
            removed,
            lock -> {
              operations.source().delete(key);
              Held held = operations.present(lock, operations.nowMillis());
              if (held != null) {
                operations.remove(lock, held);
              }
              return held != null;
            });
    counters.took(counters.removes, start);
    return wasThere;
  }

  boolean remove(K key, V oldValue) {
    CacheKey<K> removed = operations.keyOf(key);
    Objects.requireNonNull(oldValue, "oldValue");
    long start = counters.start();
    boolean done =
        changeIfEqual(
            removed,
            oldValue,
            (lock, held) -> {
              operations.source().delete(key);
              operations.remove(lock, held);
            });
    counters.took(counters.removes, start);
    return done;
  }

  @Nullable V getAndRemove(K key) {
    CacheKey<K> removed = operations.keyOf(key);
    long start = counters.start();
    return operations.change(
        removed,
        lock -> {
          operations.source().delete(key);
          return operations.afterSource(
              lock,
              () -> {
                Held held = operations.present(lock, operations.nowMillis());
                V old = operations.returned(held);
                if (held != null) {
                  operations.remove(lock, held);
                }
                counters.lookup(held != null);
                counters.took(counters.gets, start);
                counters.took(counters.removes, start);
                return old;
              });
        });
  }

  boolean replace(K key, V oldValue, V newValue) {
    CacheKey<K> replaced = operations.keyOf(key);
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    long start = counters.start();
    return changeIfEqual(
        replaced, oldValue, (lock, held) -> replaceHeld(lock, newValue, held, start));
  }

  /// Changes an entry that has a value; one that has another counts as used.
  private boolean changeIfEqual(CacheKey<K> key, V value, BiConsumer<KeyLock<K>, Held> change) {
    return operations.change(
        key,
        lock -> {
          long now = operations.nowMillis();
          Held held = operations.present(lock, now);
          counters.lookup(held != null);
          if (held == null) {
            return false;
          }
          if (!operations.valueOf(held).equals(value)) {
            operations.touch(lock, held);
            return false;
          }
          change.accept(lock, held);
          return true;
        });
  }

  private void replaceHeld(KeyLock<K> lock, V value, Held held, long start) {
    operations.write(lock, value, made -> operations.setNow(lock, made, held));
    counters.put();
    counters.took(counters.sets, start);
  }

  boolean replace(K key, V value) {
    return replaceAny(key, value, _ -> true, false);
  }

  @Nullable V getAndReplace(K key, V value) {
    return replaceAny(key, value, operations::returned, null);
  }

  /// Replaces the value of a key that has one.
  ///
  /// @param result what to give, of what was there
  /// @param none what to give if there was nothing
  private <T extends @Nullable Object> T replaceAny(
      K key, V value, Function<Held, T> result, T none) {
    CacheKey<K> changed = operations.keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return operations.change(
        changed,
        lock -> {
          Held held = operations.present(lock, operations.nowMillis());
          counters.lookup(held != null);
          if (held == null) {
            return none;
          }
          T given = result.apply(held);
          replaceHeld(lock, value, held, start);
          return given;
        });
  }
}
