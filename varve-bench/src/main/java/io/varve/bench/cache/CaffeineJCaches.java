package io.varve.bench.cache;

import com.github.benmanes.caffeine.jcache.configuration.CaffeineConfiguration;
import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import io.varve.bench.engine.JarVersion;
import io.varve.cache.StorageMode;
import java.util.OptionalLong;
import java.util.Set;
import javax.cache.Cache;

/// Caffeine's JCache provider.
final class CaffeineJCaches implements CacheType {
  private static final String NAME = "bench";

  @Override
  public String label() {
    return "caffeine-jcache";
  }

  @Override
  public String version() {
    return JarVersion.of(CaffeineCachingProvider.class);
  }

  @Override
  public Set<StorageMode> modes() {
    return Set.of(StorageMode.HEAP);
  }

  @Override
  public String describe(StorageMode mode) {
    return "JCache, by value, maximumSize";
  }

  @Override
  public ObjectCache open(CacheSettings settings) {
    CaffeineCachingProvider provider = new CaffeineCachingProvider();
    CaffeineConfiguration<String, byte[]> configuration = new CaffeineConfiguration<>();
    configuration.setTypes(String.class, byte[].class);
    configuration.setMaximumSize(OptionalLong.of(settings.hotEntries()));
    Cache<String, byte[]> cache =
        provider
            .getCacheManager(provider.getDefaultURI(), CaffeineJCaches.class.getClassLoader())
            .createCache(NAME, configuration);
    var inner = cache.unwrap(com.github.benmanes.caffeine.cache.Cache.class);
    return new JCacheObjects(provider, cache, inner::estimatedSize);
  }
}
