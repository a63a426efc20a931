package io.varve.spring;

import io.varve.KeySource;
import io.varve.cache.VarveCachingProvider;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.interceptor.CacheAspectSupport;
import org.springframework.cache.interceptor.CacheErrorHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/// Has `@EnableCaching` use Varve, unless the application has a cache manager of its own or names
/// another kind in `spring.cache.type`.
///
/// @since 1.0
@AutoConfiguration(
    beforeName = {
      "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration",
      "org.springframework.boot.autoconfigure.cache.CacheAutoConfiguration"
    })
@ConditionalOnBean(CacheAspectSupport.class)
@ConditionalOnMissingBean({
  org.springframework.cache.CacheManager.class,
  javax.cache.CacheManager.class
})
@ConditionalOnProperty(name = "spring.cache.type", havingValue = "varve", matchIfMissing = true)
@EnableConfigurationProperties(VarveProperties.class)
public class VarveCacheAutoConfiguration {
  private static final String MANAGER = "varveJCacheManager";

  /// Made by Spring.
  public VarveCacheAutoConfiguration() {}

  /// The caches as JCache has them; closed with the application.
  @Bean(name = MANAGER, destroyMethod = "close")
  javax.cache.CacheManager varveJCacheManager(
      VarveProperties properties, ObjectProvider<KeySource> keys, ResourceLoader loader) {
    Properties given = new Properties();
    StoreKey.of(properties, keys).applyTo(given);
    if (properties.directory() != null) {
      given.setProperty(VarveCachingProvider.DIRECTORY, properties.directory());
    }
    if (properties.pageCache() != null) {
      given.setProperty(
          VarveCachingProvider.CACHE_BYTES, Long.toString(properties.pageCache().toBytes()));
    }
    return new VarveCachingProvider().getCacheManager(null, loader.getClassLoader(), given);
  }

  /// The caches as Spring has them.
  @Bean
  VarveCacheManager cacheManager(
      javax.cache.CacheManager manager,
      VarveProperties properties,
      ConfigurableListableBeanFactory beans,
      Environment environment) {
    Set<String> names = new LinkedHashSet<>(properties.caches().keySet());
    names.addAll(
        Binder.get(environment)
            .bind("spring.cache.cache-names", Bindable.listOf(String.class))
            .orElse(List.of()));
    return new VarveCacheManager(manager, properties, new SourceBeans(beans, MANAGER), names);
  }

  /// Removes entries that cannot be read, unless the application configures what happens to them.
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE) // made before what processes beans
  @ConditionalOnMissingBean(CachingConfigurer.class)
  static CachingConfigurer varveCachingConfigurer() {
    return new CachingConfigurer() {
      @Override
      public CacheErrorHandler errorHandler() {
        return new UnreadableEntries();
      }
    };
  }
}
