package io.varve.grid.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.Store;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemStoreListener;
import io.varve.infinispan.OpenStore;
import io.varve.infinispan.StoreListener;
import io.varve.micrometer.VarveStoreMetrics;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.remoting.transport.Address;
import org.jspecify.annotations.Nullable;

/// Registers the meters of a store when it opens, and removes them when it closes: what is opened
/// after it, as where a cache is made again, has the same labels. The store of the items is of no
/// cache, which in Prometheus is an empty label.
final class StoreMeters implements StoreListener, ItemStoreListener {
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
    bind(store.store(), name(store), tags);
  }

  @Override
  public void opened(Store store, @Nullable Path directory) {
    bind(store, ItemStore.DIRECTORY, Tags.of("cache", "", NODE, machine));
  }

  private void bind(Store store, String name, Tags tags) {
    var metrics = new VarveStoreMetrics(store, name, tags);
    bound.put(store, metrics);
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
    closing(store.store());
  }

  @Override
  public void closing(Store store) {
    VarveStoreMetrics metrics = bound.remove(store);
    if (metrics != null) {
      metrics.unbindFrom(registry);
    }
  }
}
