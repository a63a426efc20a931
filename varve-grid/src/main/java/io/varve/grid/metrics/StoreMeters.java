package io.varve.grid.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.Store;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import io.varve.micrometer.VarveStoreMetrics;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.remoting.transport.Address;

/// Registers the meters of a store when it opens, and removes them when it closes: what is opened
/// after it, as where a cache is made again, has the same labels.
final class StoreMeters implements StoreListener {
  /// The label that Infinispan has for the name of a node.
  static final String NODE = "node";

  private final MeterRegistry registry;
  private final Path data;
  private final String machine;
  private final Map<Store, VarveStoreMetrics> bound = new ConcurrentHashMap<>();

  /// @param data where caches have their directories
  /// @param machine the name of a node that other nodes give none
  StoreMeters(MeterRegistry registry, Path data, String machine) {
    this.registry = registry;
    this.data = data;
    this.machine = machine;
  }

  @Override
  public void opened(OpenStore store) {
    Address address = store.cache().getCacheManager().getAddress();
    Tags tags =
        Tags.of(
            "cache", store.cache().getName(), NODE, address == null ? machine : address.toString());
    var metrics = new VarveStoreMetrics(store.store(), name(store), tags);
    bound.put(store.store(), metrics);
    metrics.bindTo(registry);
  }

  /// The directory of a store, below that of all: a cache may have several.
  private String name(OpenStore store) {
    Path directory = store.directory();
    if (directory == null) {
      return "memory";
    }
    return directory.startsWith(data)
        ? data.relativize(directory).toString()
        : directory.toString();
  }

  @Override
  public void closing(OpenStore store) {
    VarveStoreMetrics metrics = bound.remove(store.store());
    if (metrics != null) {
      metrics.unbindFrom(registry);
    }
  }
}
