package io.varve.infinispan;

import org.infinispan.factories.impl.MBeanMetadata;
import org.infinispan.factories.impl.Scopes;
import org.infinispan.interceptors.impl.CacheLoaderInterceptor;
import org.infinispan.interceptors.impl.ClusteredCacheLoaderInterceptor;

/// Has Infinispan give the loaders of [LoadGuard] what it gives its own.
///
/// @since 1.0
public final class LoadModule extends VarveModule {
  /// For the service loader.
  public LoadModule() {
    super("varve-load", "core");
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    register(builder, LocalLoader.class, CacheLoaderInterceptor.class);
    register(builder, ClusterLoader.class, ClusteredCacheLoaderInterceptor.class);
  }

  private static void register(ModuleBuilder builder, Class<?> loader, Class<?> own) {
    registerComponent(builder, NAMED_CACHE, loader, own);
    builder.registerMBeanMetadata(
        loader.getName(),
        MBeanMetadata.of(
            "CacheLoader",
            "Component that handles loading entries from a CacheStore into memory.",
            CacheLoaderInterceptor.class.getName(),
            Scopes.NAMED_CACHE));
  }
}
