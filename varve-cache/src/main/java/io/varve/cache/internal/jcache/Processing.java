package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.KeyLock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/// Runs processors on entries, each under the lock of its key.
///
/// @param operations of the cache
record Processing<K, V>(Operations<K, V> operations) {
  <T> @Nullable T invoke(CacheKey<K> key, EntryProcessor<K, V, T> processor, Object[] arguments) {
    return operations.change(key, lock -> process(lock, processor, arguments));
  }

  <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object[] arguments) {
    List<CacheKey<K>> all = new ArrayList<>();
    keys.forEach(key -> all.add(operations.keyOf(key)));
    Map<K, EntryProcessorResult<T>> results = new HashMap<>();
    for (CacheKey<K> key : all) {
      try {
        T result = invoke(key, processor, arguments);
        if (result != null) {
          results.put(key.key(), new ProcessorResult<>(result, null));
        }
      } catch (EntryProcessorException e) {
        results.put(key.key(), new ProcessorResult<>(null, e));
      } catch (CacheException e) {
        results.put(
            key.key(),
            new ProcessorResult<>(null, new EntryProcessorException("not processed", e)));
      }
    }
    return results;
  }

  private <T> @Nullable T process(
      KeyLock<K> lock, EntryProcessor<K, V, T> processor, Object[] arguments) {
    Counters counters = operations.counters();
    long start = counters.start();
    Held held = operations.present(lock, operations.nowMillis());
    counters.lookup(held != null);
    var entry =
        new ProcessedEntry<>(
            lock.key().key(), held == null ? null : operations.valueOf(held), operations.source());
    T result;
    try {
      result = processor.process(entry, arguments);
    } catch (EntryProcessorException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException("the entry processor failed: cause=" + e, e);
    }
    apply(lock, entry, held);
    counters.took(counters.gets, start);
    return result;
  }

  private void apply(KeyLock<K> lock, ProcessedEntry<K, V> entry, @Nullable Held held) {
    V value = entry.value();
    K key = lock.key().key();
    switch (entry.outcome()) {
      case UNTOUCHED -> {}
      case READ -> {
        if (held != null) {
          operations.touch(lock, held);
        }
      }
      case LOADED -> {
        if (value != null) {
          operations.setNow(lock, operations.newValue(lock, value), held);
          operations.counters().put();
        }
      }
      case CREATED, UPDATED -> {
        if (value != null) {
          operations.write(lock, value, made -> operations.setNow(lock, made, held));
          operations.counters().put();
        }
      }
      case REMOVED -> {
        operations.source().delete(key);
        if (held != null) {
          operations.remove(lock, held);
        }
      }
    }
  }
}
