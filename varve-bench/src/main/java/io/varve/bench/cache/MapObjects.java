package io.varve.bench.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// A cache that is a map.
///
/// @param closing closes what it is made of
record MapObjects(ConcurrentMap<String, byte[]> map, Runnable closing) implements ObjectCache {
  @Override
  public byte @Nullable [] get(String key) {
    return map.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    map.put(key, value);
  }

  @Override
  public void remove(String key) {
    map.remove(key);
  }

  @Override
  public long size() {
    return map.size();
  }

  @Override
  public long iterate() {
    return ObjectCache.count(map.entrySet(), Map.Entry::getKey, Map.Entry::getValue);
  }

  @Override
  public void close() {
    closing.run();
  }
}
