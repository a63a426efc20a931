package io.varve.bench.engine;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// Infinispan's SoftIndexFileStore under an embedded local cache that writes through: appended
/// files, and an index of keys that an unclean stop makes it build again.
final class SoftIndexFileEngine implements Engine {
  private static final String CACHE = "bench";

  /// Infinispan counts entries; an entry on the heap takes about this much besides its value.
  private static final int ENTRY_BYTES = 200;

  private final InfinispanManager manager;
  private final Cache<byte[], byte[]> cache;

  private SoftIndexFileEngine(EngineSettings settings) {
    var configuration = new ConfigurationBuilder();
    configuration.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
    configuration
        .memory()
        .maxCount(Math.max(1, settings.cacheBytes() / (settings.valueBytes() + ENTRY_BYTES)));
    configuration
        .persistence()
        .addSoftIndexFileStore()
        .dataLocation(settings.directory().resolve("data").toString())
        .indexLocation(settings.directory().resolve("index").toString())
        .syncWrites(settings.promise() == Promise.DISK);
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

  private final class Session implements UnorderedSession {
    @Override
    public boolean get(byte[] key, ValueSink sink) {
      byte @Nullable [] value = cache.get(key);
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
      cache.remove(key);
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
  }

  static final class Type implements EngineType {
    @Override
    public String label() {
      return "infinispan-sifs";
    }

    @Override
    public String version() {
      return JarVersion.of(Cache.class);
    }

    @Override
    public String describe(Promise promise) {
      return switch (promise) {
        case DISK -> "local cache, write-through to SoftIndexFileStore, syncWrites";
        case OS, FAST -> "local cache, write-through to SoftIndexFileStore";
      };
    }

    @Override
    public Set<Feature> features() {
      return EnumSet.of(Feature.COMMIT_TO_DISK, Feature.COMMIT_TO_OS, Feature.PERSISTENT);
    }

    @Override
    public Engine open(EngineSettings settings) {
      return new SoftIndexFileEngine(settings);
    }
  }
}
