package io.varve.bench.cache;

import io.varve.bench.engine.InfinispanManager;
import io.varve.bench.engine.JarVersion;
import io.varve.cache.StorageMode;
import java.util.Set;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/// Infinispan, embedded and local.
final class InfinispanCaches implements CacheType {
  private static final String NAME = "bench";

  @Override
  public String label() {
    return "infinispan";
  }

  @Override
  public String version() {
    return JarVersion.of(Cache.class);
  }

  @Override
  public Set<StorageMode> modes() {
    return Set.of(StorageMode.HEAP, StorageMode.TIERED, StorageMode.PAGES);
  }

  @Override
  public String describe(StorageMode mode) {
    return switch (mode) {
      case HEAP -> "local cache, by reference, maxCount";
      case TIERED, OVERFLOW -> "local cache, maxCount, write-through to SoftIndexFileStore";
      case PAGES -> "local cache, maxCount 1, write-through to SoftIndexFileStore";
    };
  }

  @Override
  public ObjectCache open(CacheSettings settings) {
    var configuration = new ConfigurationBuilder();
    StorageMode mode = settings.mode();
    configuration.memory().maxCount(mode == StorageMode.PAGES ? 1 : settings.hotEntries());
    if (mode != StorageMode.HEAP) {
      configuration
          .persistence()
          .addSoftIndexFileStore()
          .dataLocation(settings.directory().resolve("data").toString())
          .indexLocation(settings.directory().resolve("index").toString());
    }
    InfinispanManager manager = new InfinispanManager();
    return new MapObjects(manager.createCache(NAME, configuration.build()), manager::close);
  }
}
