package io.varve.spring;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.cache.VarveCache;
import io.varve.micrometer.VarveCacheMetrics;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cache.metrics.CacheMeterBinderProvider;
import org.springframework.cache.jcache.JCacheCache;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Has the metrics of Spring Boot 4 make Varve's own meters for caches of Varve. Those that it
/// makes for any cache of JCache have the same names and are of other types, which registries
/// refuse.
///
/// @since 1.0
@AutoConfiguration
@ConditionalOnClass({CacheMeterBinderProvider.class, MeterBinder.class, VarveCacheMetrics.class})
public class VarveCacheMeters4AutoConfiguration {
  /// Made by Spring.
  public VarveCacheMeters4AutoConfiguration() {}

  /// A class, since the type of cache that a provider is for can be found in no lambda.
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  CacheMeterBinderProvider<JCacheCache> varveCacheMeterBinderProvider() {
    return new CacheMeterBinderProvider<>() {
      @Override
      public @Nullable MeterBinder getMeterBinder(JCacheCache cache, Iterable<Tag> tags) {
        return cache.getNativeCache() instanceof VarveCache<?, ?> varve
            ? new VarveCacheMetrics(varve, tags)
            : null;
      }
    };
  }
}
