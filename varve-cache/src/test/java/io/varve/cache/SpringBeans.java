package io.varve.cache;

import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.annotation.BeanProvider;
import manager.CacheNameOnEachMethodBlogManagerImpl;
import manager.ClassLevelCacheConfigBlogManagerImpl;
import manager.UsingDefaultCacheNameBlogManagerImpl;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.jcache.JCacheCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/// Gives the conformance suite of JCache its beans, from one context of Spring: so the suite runs
/// its tests of annotations, too.
public final class SpringBeans implements BeanProvider {
  /// The caches that the beans of the suite name, or that are named after their methods.
  private static final String[] CACHES = {
    "blogManager",
    "blgMngr",
    UsingDefaultCacheNameBlogManagerImpl.class.getName() + ".getEntryCached(java.lang.String)"
  };

  private static final AtomicInteger GIVEN = new AtomicInteger();

  private final ApplicationContext context = new AnnotationConfigApplicationContext(Beans.class);

  /// Called by the suite.
  public SpringBeans() {}

  /// How many beans the suite was given: none if it left its tests of annotations out.
  static int given() {
    return GIVEN.get();
  }

  @Override
  public <T> T getBeanByType(Class<T> type) {
    GIVEN.incrementAndGet();
    return context.getBean(type);
  }

  @Configuration
  @EnableCaching(proxyTargetClass = true)
  @Import({
    CacheNameOnEachMethodBlogManagerImpl.class,
    ClassLevelCacheConfigBlogManagerImpl.class,
    UsingDefaultCacheNameBlogManagerImpl.class
  })
  static class Beans {
    /// Of a provider of its own: the suite closes others.
    @Bean(destroyMethod = "close")
    VarveCachingProvider provider() {
      return new VarveCachingProvider();
    }

    @Bean
    CacheManager cacheManager(VarveCachingProvider provider) {
      javax.cache.CacheManager manager = provider.getCacheManager();
      for (String name : CACHES) {
        manager.createCache(name, new CacheOptions<>());
      }
      return new JCacheCacheManager(manager);
    }
  }
}
