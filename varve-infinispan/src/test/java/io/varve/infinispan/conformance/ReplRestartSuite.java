package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.globalstate.ThreeNodeReplGlobalStateRestartTest;
import org.testng.annotations.Test;

/// A cluster of three nodes, each with all entries, that is shut down and started again.
@Test(groups = "functional", testName = "io.varve.infinispan.conformance.ReplRestartSuite")
public class ReplRestartSuite extends ThreeNodeReplGlobalStateRestartTest {
  @Override
  protected void applyCacheManagerClusteringConfiguration(
      String id, ConfigurationBuilder configuration) {
    applyCacheManagerClusteringConfiguration(configuration);
    configuration.persistence().addStore(VarveStoreConfigurationBuilder.class);
  }
}
