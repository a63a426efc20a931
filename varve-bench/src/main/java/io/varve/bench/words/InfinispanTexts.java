package io.varve.bench.words;

import io.varve.bench.engine.InfinispanManager;
import java.util.Collection;
import java.util.Map;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/// Byte arrays in an embedded cache of Infinispan, on the heap.
final class InfinispanTexts implements Texts {
  private final InfinispanManager manager = new InfinispanManager();
  private final Map<Integer, byte[]> cache =
      manager.createCache("texts", new ConfigurationBuilder().build());

  @Override
  public void put(int number, byte[] text) {
    cache.put(number, text);
  }

  @Override
  public Map<String, Long> countWords() {
    Collection<byte[]> values = cache.values(); // whose streams are the cache's
    return StreamedCount.count(values.parallelStream());
  }

  @Override
  public void close() {
    manager.close();
  }
}
