package io.varve.infinispan;

import java.util.Collection;
import java.util.List;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.MBeanMetadata;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.factories.impl.Scopes;
import org.infinispan.interceptors.impl.CacheLoaderInterceptor;
import org.infinispan.interceptors.impl.ClusteredCacheLoaderInterceptor;
import org.infinispan.lifecycle.ModuleLifecycle;

/// Has Infinispan give the loaders of [LoadGuard] what it gives its own. It finds this as a
/// service; what others have made by its annotation processor is written here.
///
/// @since 1.0
public final class LoadModule implements ModuleMetadataBuilder {
  private static final int NAMED_CACHE = 1; // as the processor writes it

  /// For the service loader.
  public LoadModule() {}

  @Override
  public String getModuleName() {
    return "varve-load";
  }

  @Override
  public Collection<String> getRequiredDependencies() {
    return List.of("core");
  }

  @Override
  public Collection<String> getOptionalDependencies() {
    return List.of();
  }

  @Override
  public ModuleLifecycle newModuleLifecycle() {
    return new ModuleLifecycle() {};
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    register(builder, LocalLoader.class, CacheLoaderInterceptor.class);
    register(builder, ClusterLoader.class, ClusteredCacheLoaderInterceptor.class);
  }

  private static void register(ModuleBuilder builder, Class<?> loader, Class<?> own) {
    builder.registerComponentAccessor(
        loader.getName(),
        List.of(),
        new ComponentAccessor<>(
            loader.getName(),
            NAMED_CACHE,
            /* survivesRestarts= */ false,
            own.getName(),
            List.of()));
    builder.registerMBeanMetadata(
        loader.getName(),
        MBeanMetadata.of(
            "CacheLoader",
            "Component that handles loading entries from a CacheStore into memory.",
            CacheLoaderInterceptor.class.getName(),
            Scopes.NAMED_CACHE));
  }
}
