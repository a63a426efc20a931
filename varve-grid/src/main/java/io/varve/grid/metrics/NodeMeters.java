package io.varve.grid.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.varve.grid.items.ItemStore;
import io.varve.infinispan.StoreListenerConfigurationBuilder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.TransportConfiguration;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.metrics.config.MicrometerMeterRegisterConfigurationBuilder;
import org.infinispan.remoting.transport.Address;
import org.infinispan.server.Server;

/// The meters of a node, in a registry of its own:
///
/// - Each has the name of the cluster as a label, so that one Prometheus may have several.
///   Infinispan names the node alone, by one name, and that not for the meters of the JVM.
/// - Logins that failed are counted by protocol.
/// - Those of the stores below its caches are there as long as the stores are open ([StoreMeters]).
public final class NodeMeters {
  /// The label of nodes that are in no cluster.
  private static final String ALONE = "none";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private NodeMeters() {}

  /// Has a server that has not started use a registry of ours.
  ///
  /// @param data where its caches have their directories
  /// @param items whose store has meters as well
  public static NodeMeters install(Server server, Path data, ItemStore items) {
    var meters = new NodeMeters();
    meters.addTo(server, data, items);
    return meters;
  }

  private void addTo(Server server, Path data, ItemStore items) {
    GlobalConfigurationBuilder global =
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder();
    var name = global.transport().attributes().attribute(TransportConfiguration.CLUSTER_NAME);
    registry.config().commonTags("cluster", name.isModified() ? name.get() : ALONE);
    registry.config().meterFilter(new NodeNames());
    global.addModule(MicrometerMeterRegisterConfigurationBuilder.class).meterRegistry(registry);
    String machine = machine();
    if (!name.isModified()) {
      global.transport().nodeName(machine); // Another one at each start, if none is set.
    }
    var stores = new StoreMeters(registry, data, machine);
    global.addModule(StoreListenerConfigurationBuilder.class).add(stores);
    items.follow(stores);
  }

  /// Adds those of logins, when the node has its name.
  ///
  /// @param failed how many have failed, by the name of their protocol
  public void addLogins(EmbeddedCacheManager caches, Map<String, LongSupplier> failed) {
    Address address = caches.getAddress();
    String node = address == null ? machine() : address.toString();
    failed.forEach((protocol, count) ->
        FunctionCounter.builder("varve.logins.failed", count, LongSupplier::getAsLong)
            .description("Logins that failed, or were refused since others had failed.")
            .tag("protocol", protocol)
            .tag(StoreMeters.NODE, node)
            .register(registry));
  }

  /// Has the meters of JGroups name the node as all others do, without its version.
  private static final class NodeNames implements MeterFilter {
    private static final String VERSION = "(v=";

    @Override
    public Meter.Id map(Meter.Id id) {
      String node = id.getTag(StoreMeters.NODE);
      return node != null && node.contains(VERSION)
          ? id.withTag(Tag.of(StoreMeters.NODE, node.substring(0, node.indexOf(VERSION))))
          : id;
    }
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // It has no name that can be resolved.
    }
  }
}
