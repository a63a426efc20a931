package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// An embedded local cache of Infinispan that writes through to one of its stores.
final class InfinispanEngine implements Engine {
  private static final String CACHE = "bench";

  /// Infinispan counts entries; an entry on the heap takes about this much in addition to its
  /// value.
  private static final int ENTRY_BYTES = 200;

  private final InfinispanManager manager;
  private final Cache<byte[], byte[]> cache;

  private InfinispanEngine(EngineSettings settings, InfinispanStore store) {
    var configuration = new ConfigurationBuilder();
    configuration.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    configuration
        .memory()
        .maxCount(Math.max(1, settings.cacheBytes() / (settings.valueBytes() + ENTRY_BYTES)));
    store.addTo(configuration.persistence(), settings.directory(), settings.promise());
    manager = new InfinispanManager();
    cache = manager.createCache(CACHE, configuration.build());
  }

  @Override
  public EngineSession session() {
    return new Session();
  }

  @Override
  public void close() {
    manager.close();
  }

  private final class Session implements UnorderedSession, WholeSession {
    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = cache.get(key.clone()); // kept, if it comes from the store
      if (value == null) {
        return false;
      }
      sink.value(value, value.length);
      return true;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      cache.put(key.clone(), value.clone());
    }

    @Override
    public void delete(byte[] key) {
      cache.remove(key.clone());
    }

    @Override
    @SuppressWarnings("ArrayAsKeyOfSetOrMap") // nothing is looked up; the cache knows array keys
    public void commit(Batch batch) {
      Map<byte[], byte[]> puts = new LinkedHashMap<>();
      batch.forEach(
          new Batch.Changes<RuntimeException>() {
            @Override
            public void put(byte[] key, byte[] value) {
              puts.put(key.clone(), value.clone());
            }

            @Override
            public void delete(byte[] key) {
              writeOut(puts); // in the batch's order
              cache.remove(key);
            }
          });
      writeOut(puts);
    }

    private void writeOut(Map<byte[], byte[]> puts) {
      cache.putAll(puts);
      puts.clear();
    }

    @Override
    public long size() {
      return cache.size();
    }

    @Override
    public long valueBytes() {
      try (var values = cache.values().stream()) {
        return values.mapToLong(value -> value.length).sum();
      }
    }

    @Override
    public long iterate(int batch) {
      long entries = 0;
      try (var all =
          cache.getAdvancedCache().cacheEntrySet().stream().distributedBatchSize(batch)) {
        for (var each = all.iterator(); each.hasNext(); each.next()) {
          entries++;
        }
      }
      return entries;
    }
  }

  /// Such a cache over a store.
  ///
  /// @param store where its entries are
  record Type(InfinispanStore store) implements EngineType {
    @Override
    public String label() {
      return "infinispan-" + store.label();
    }

    @Override
    public String version() {
      return JarVersion.of(Cache.class);
    }

    @Override
    public String describe(Promise promise) {
      return "local cache, write-through to " + store.describe(promise);
    }

    @Override
    public Set<Feature> features() {
      EnumSet<Feature> features = EnumSet.of(Feature.COMMIT_TO_OS, Feature.PERSISTENT);
      if (store.canForce()) {
        features.add(Feature.COMMIT_TO_DISK);
      }
      return features;
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new InfinispanEngine(settings, store);
    }
  }
}
