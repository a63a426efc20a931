package io.varve.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.micrometer.VarveCacheMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/// Gives every cache its meters, also those that are opened later. They have the tags that Spring
/// Boot gives to meters of caches. Where it has bound a cache already, at the start, that one has
/// its meters: a registry would log a warning about a second set.
///
/// @since 1.0
@AutoConfiguration(after = VarveCacheAutoConfiguration.class)
@ConditionalOnClass({MeterRegistry.class, VarveCacheMetrics.class})
@ConditionalOnBean(VarveCacheManager.class)
public class VarveCacheMetricsAutoConfiguration {
  /// Made by Spring.
  public VarveCacheMetricsAutoConfiguration() {}

  @Bean
  SmartInitializingSingleton varveCacheMeters(
      VarveCacheManager manager, ObjectProvider<MeterRegistry> registries) {
    return () -> {
      MeterRegistry registry = registries.getIfUnique();
      if (registry != null) {
        manager.observe(cache -> {
          Tags tags = Tags.of("cache.manager", "cacheManager", "name", cache.getName());
          if (registry.find("cache.gets").tags(tags).meter() == null) {
            new VarveCacheMetrics(cache, tags).bindTo(registry);
          }
        });
      }
    };
  }
}
