package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.globalstate.ThreeNodeDistGlobalStateRestartTest;
import org.testng.annotations.Test;

/// A cluster of three nodes, each with its part of the entries, that is shut down and started
/// again.
@Test(groups = "functional", testName = "io.varve.infinispan.conformance.DistRestartSuite")
public class DistRestartSuite extends ThreeNodeDistGlobalStateRestartTest {
  @Override
  protected void applyCacheManagerClusteringConfiguration(
      String id, ConfigurationBuilder configuration) {
    applyCacheManagerClusteringConfiguration(configuration);
    configuration.persistence().addStore(VarveStoreConfigurationBuilder.class);
  }
}
