package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.ParallelIterationTest;
import org.testng.annotations.Test;

/// Publishers that many threads ask for more.
@Test(groups = "functional", testName = "io.varve.infinispan.conformance.IterationSuite")
public class IterationSuite extends ParallelIterationTest {
  @Override
  protected void configurePersistence(ConfigurationBuilder builder) {
    builder.persistence().addStore(VarveStoreConfigurationBuilder.class).purgeOnStartup(true);
  }
}
