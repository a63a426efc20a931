package io.varve.grid.backup;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.factories.impl.ModuleMetadataBuilder;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.lifecycle.ModuleLifecycle;

/// Puts the [WriteGate] of a node before each of its caches. Infinispan finds this as a service.
public final class GateModule implements ModuleMetadataBuilder {
  /// For the service loader.
  public GateModule() {}

  @Override
  public String getModuleName() {
    return "varve-backup";
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
    return new ModuleLifecycle() {
      @Override
      public void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
        BackupConfiguration ours =
            cache
                .getGlobalComponentRegistry()
                .getGlobalConfiguration()
                .module(BackupConfiguration.class);
        if (ours != null && !configuration.simpleCache()) { // Those have no interceptors.
          BasicComponentRegistry components = cache.getComponent(BasicComponentRegistry.class);
          Executor executor =
              components
                  .getComponent(KnownComponentNames.NON_BLOCKING_EXECUTOR, ExecutorService.class)
                  .wired();
          components
              .getComponent(AsyncInterceptorChain.class)
              .wired()
              .addInterceptor(ours.backup().gate().interceptor(executor), 0);
        }
      }
    };
  }

  @Override
  public void registerMetadata(ModuleBuilder builder) {
    // It has no components.
  }
}
