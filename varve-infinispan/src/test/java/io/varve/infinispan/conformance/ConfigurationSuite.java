package io.varve.infinispan.conformance;

import static org.testng.Assert.assertEquals;

import io.varve.infinispan.VarveStoreConfiguration;
import org.infinispan.configuration.cache.StoreConfiguration;
import org.infinispan.configuration.serializer.AbstractConfigurationSerializerTest;
import org.testng.annotations.Test;

/// Configurations from files, written as XML, JSON and YAML and read again.
@Test(groups = "functional", testName = "io.varve.infinispan.conformance.ConfigurationSuite")
public class ConfigurationSuite extends AbstractConfigurationSerializerTest {
  @Override
  protected void compareStoreConfiguration(
      String name, StoreConfiguration before, StoreConfiguration after) {
    super.compareStoreConfiguration(name, before, after);
    assertEquals(
        ((VarveStoreConfiguration) after).attributes(),
        ((VarveStoreConfiguration) before).attributes());
  }
}
