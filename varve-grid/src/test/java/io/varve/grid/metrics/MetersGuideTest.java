package io.varve.grid.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.Store;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import io.varve.infinispan.StoreListenerConfigurationBuilder;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import io.varve.micrometer.VarveStoreMetrics;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the listener of docs/OBSERVABILITY.md: a store has meters from its start to its stop.
class MetersGuideTest {
  @TempDir Path directory;

  @Test
  void storesHaveMetersWhileTheyAreOpen() throws Exception {
    var registry = new SimpleMeterRegistry();
    var global = new GlobalConfigurationBuilder();
    global
        .addModule(StoreListenerConfigurationBuilder.class)
        .add(
            new StoreListener() {
              private final Map<Store, VarveStoreMetrics> bound = new ConcurrentHashMap<>();

              @Override
              public void opened(OpenStore opened) {
                var metrics = new VarveStoreMetrics(opened.store(), opened.cache().getName());
                bound.put(opened.store(), metrics);
                metrics.bindTo(registry);
              }

              @Override
              public void closing(OpenStore opened) {
                VarveStoreMetrics metrics = bound.remove(opened.store());
                if (metrics != null) {
                  metrics.unbindFrom(registry);
                }
              }
            });
    var configuration = new ConfigurationBuilder();
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString());
    try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
      manager.defineConfiguration("sessions", configuration.build());
      manager.getCache("sessions").put("4711", "basket");
      assertThat(registry.get("varve.commits").tag("store", "sessions").functionCounter().count())
          .isPositive();
    }
    assertThat(registry.getMeters()).isEmpty();
  }
}
