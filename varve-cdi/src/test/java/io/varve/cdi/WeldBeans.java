package io.varve.cdi;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import javax.cache.annotation.BeanProvider;
import manager.CacheNameOnEachMethodBlogManagerImpl;
import manager.ClassLevelCacheConfigBlogManagerImpl;
import manager.UsingDefaultCacheNameBlogManagerImpl;

/// Gives the conformance suite of JCache its beans, from one container of Weld.
public final class WeldBeans implements BeanProvider {
  private final SeContainer container =
      SeContainerInitializer.newInstance()
          .disableDiscovery()
          .addExtensions(new VarveExtension())
          .addBeanClasses(
              CacheNameOnEachMethodBlogManagerImpl.class,
              ClassLevelCacheConfigBlogManagerImpl.class,
              UsingDefaultCacheNameBlogManagerImpl.class)
          .initialize();

  /// Called by the suite.
  public WeldBeans() {}

  @Override
  public <T> T getBeanByType(Class<T> type) {
    return container.select(type).get();
  }
}
