package io.varve.bench.cache;

import io.varve.bench.engine.JarVersion;
import io.varve.cache.StorageMode;
import java.util.Set;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.EntryUnit;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;

/// Ehcache 3, by its own API.
final class EhcacheCaches implements CacheType {
  private static final String NAME = "bench";

  @Override
  public String label() {
    return "ehcache";
  }

  @Override
  public String version() {
    return JarVersion.of(Cache.class);
  }

  @Override
  public Set<StorageMode> modes() {
    return Set.of(StorageMode.HEAP, StorageMode.TIERED);
  }

  @Override
  public String describe(StorageMode mode) {
    return mode == StorageMode.HEAP
        ? "by reference, heap bounded by entries"
        : "heap bounded by entries, disk tier with capacity for twice the data; kept by a clean"
            + " close alone";
  }

  @Override
  public ObjectCache open(CacheSettings settings) {
    ResourcePoolsBuilder pools =
        ResourcePoolsBuilder.newResourcePoolsBuilder()
            .heap(settings.hotEntries(), EntryUnit.ENTRIES);
    if (settings.mode() != StorageMode.HEAP) {
      pools = pools.disk(settings.fileBytesMax(), MemoryUnit.B, /* persistent= */ true);
    }
    CacheManager manager =
        CacheManagerBuilder.newCacheManagerBuilder()
            .with(CacheManagerBuilder.persistence(settings.directory().toFile()))
            .withCache(
                NAME,
                CacheConfigurationBuilder.newCacheConfigurationBuilder(
                    String.class, byte[].class, pools))
            .build(true);
    return new Objects(manager, manager.getCache(NAME, String.class, byte[].class));
  }

  private record Objects(CacheManager manager, Cache<String, byte[]> cache) implements ObjectCache {
    @Override
    public byte @Nullable [] get(String key) {
      return cache.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      cache.put(key, value);
    }

    @Override
    public void remove(String key) {
      cache.remove(key);
    }

    /// There is no call for it, but to count.
    @Override
    public long size() {
      return iterate();
    }

    @Override
    public long iterate() {
      return ObjectCache.count(cache, Cache.Entry::getKey, Cache.Entry::getValue);
    }

    @Override
    public void close() {
      manager.close();
    }
  }
}
