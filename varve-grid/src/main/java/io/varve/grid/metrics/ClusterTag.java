package io.varve.grid.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.TransportConfiguration;
import org.infinispan.metrics.config.MicrometerMeterRegisterConfigurationBuilder;
import org.infinispan.server.Server;

/// Gives each meter of a node the name of its cluster as a label, so that one Prometheus may have
/// several. Infinispan names the node alone, and that not for the meters of the JVM.
public final class ClusterTag {
  /// The label of nodes that are in no cluster.
  private static final String ALONE = "none";

  private ClusterTag() {}

  /// Has a server that has not started use a registry of ours.
  public static void install(Server server) {
    GlobalConfigurationBuilder global =
        server.getConfigurationBuilderHolder().getGlobalConfigurationBuilder();
    var name = global.transport().attributes().attribute(TransportConfiguration.CLUSTER_NAME);
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().commonTags("cluster", name.isModified() ? name.get() : ALONE);
    global.addModule(MicrometerMeterRegisterConfigurationBuilder.class).meterRegistry(registry);
  }
}
