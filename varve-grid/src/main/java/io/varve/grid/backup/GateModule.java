package io.varve.grid.backup;

import io.varve.infinispan.VarveModule;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.impl.BasicComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptorChain;

/// Puts the [WriteGate] of a node before each of its caches.
public final class GateModule extends VarveModule {
  /// For the service loader.
  public GateModule() {
    super("varve-backup", "core");
  }

  @Override
  protected void cacheStarting(ComponentRegistry cache, Configuration configuration, String name) {
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
}
