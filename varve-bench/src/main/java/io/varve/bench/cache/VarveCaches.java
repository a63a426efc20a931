package io.varve.bench.cache;

import io.varve.Durability;
import io.varve.bench.engine.VarveLabels;
import io.varve.cache.CacheOptions;
import io.varve.cache.StorageMode;
import io.varve.cache.VarveCache;
import io.varve.cache.VarveCachingProvider;
import java.util.EnumSet;
import java.util.Properties;
import java.util.Set;
import javax.cache.CacheManager;

/// Varve's cache, with pages of some size.
record VarveCaches(String label, int pageBytes) implements CacheType {
  static final CacheType DEFAULT = new VarveCaches(VarveLabels.VARVE, 8 << 10);
  static final CacheType LARGE_PAGES = new VarveCaches(VarveLabels.LARGE_PAGES, 32 << 10);

  private static final String NAME = "bench";

  @Override
  public String version() {
    return "varve-cache";
  }

  @Override
  public Set<StorageMode> modes() {
    return EnumSet.allOf(StorageMode.class);
  }

  @Override
  public String describe(StorageMode mode) {
    return switch (mode) {
      case HEAP -> "by value, bounded by heapEntriesMax";
      case TIERED -> "durability BACKGROUND, heapEntriesMax, pages in memory by --cache";
      case OVERFLOW -> "heapEntriesMax, pages in memory by --cache";
      case PAGES ->
          "durability BACKGROUND, pages of " + (pageBytes >> 10) + " KiB, in memory by --cache";
    };
  }

  @Override
  public ObjectCache open(CacheSettings settings) {
    VarveCachingProvider provider = new VarveCachingProvider();
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.CACHE_BYTES, Long.toString(settings.cacheBytes()));
    properties.setProperty(VarveCachingProvider.PAGE_BYTES, Integer.toString(pageBytes));
    CacheManager manager =
        provider.getCacheManager(
            settings.directory().toUri(), VarveCaches.class.getClassLoader(), properties);
    CacheOptions<String, byte[]> options =
        new CacheOptions<String, byte[]>()
            .mode(settings.mode())
            .durability(Durability.BACKGROUND)
            .heapEntriesMax(settings.hotEntries());
    options.setTypes(String.class, byte[].class);
    VarveCache<?, ?> cache = manager.createCache(NAME, options).unwrap(VarveCache.class);
    return new JCacheObjects(
        provider, manager.getCache(NAME, String.class, byte[].class), cache::size);
  }
}
