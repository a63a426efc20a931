package io.varve.cache.internal.jcache;

import io.varve.cache.internal.jcache.WriteQueue.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.cache.integration.CacheLoader;
import org.jspecify.annotations.Nullable;

/// A loader that answers from changes that wait for the writer, and asks another one for keys that
/// have none: so a read never finds what the source had before a change. A thread that calls it
/// holds the locks of the keys. Safe for threads.
record WaitingFirstLoader<K, V>(CacheLoader<K, V> loader, WriteBehindWriter<K, V> writer)
    implements CacheLoader<K, V> {
  @Override
  public @Nullable V load(K key) {
    Waiting<K> waiting = writer.find(key);
    return waiting == null ? loader.load(key) : writer.valueOf(waiting);
  }

  @Override
  public Map<K, V> loadAll(Iterable<? extends K> keys) {
    Map<K, V> found = new HashMap<>();
    List<K> others = new ArrayList<>();
    for (K key : keys) {
      Waiting<K> waiting = writer.find(key);
      V value = waiting == null ? null : writer.valueOf(waiting);
      if (waiting == null) {
        others.add(key);
      } else if (value != null) {
        found.put(key, value);
      }
    }
    if (!others.isEmpty()) {
      found.putAll(loader.loadAll(others));
    }
    return found;
  }
}
