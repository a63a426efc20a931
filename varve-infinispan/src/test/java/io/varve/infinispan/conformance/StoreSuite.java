package io.varve.infinispan.conformance;

import io.varve.Durability;
import io.varve.infinispan.VarveStore;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.commons.test.CommonsTestingUtil;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.BaseNonBlockingStoreTest;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/// The store alone, under every promise that it can give.
@Test(groups = "unit", testName = "io.varve.infinispan.conformance.StoreSuite")
public class StoreSuite extends BaseNonBlockingStoreTest {
  private final boolean segmented;
  private final Durability durability;
  private final String directory = CommonsTestingUtil.tmpDirectory(getClass());

  private StoreSuite(boolean segmented, Durability durability) {
    this.segmented = segmented;
    this.durability = durability;
  }

  @Factory
  public static Object[] instances() {
    return new Object[] {
      new StoreSuite(true, Durability.POWER_LOSS),
      new StoreSuite(false, Durability.PROCESS_CRASH),
      new StoreSuite(true, Durability.BACKGROUND),
    };
  }

  @Override
  protected String parameters() {
    return "[" + segmented + ", " + durability + "]";
  }

  @Override
  protected Configuration buildConfig(ConfigurationBuilder builder) {
    return builder
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .segmented(segmented)
        .location(directory)
        .durability(durability)
        .build();
  }

  @Override
  protected NonBlockingStore<Object, Object> createStore() {
    Util.recursiveFileRemove(directory);
    return new VarveStore<>();
  }

  @AfterClass(alwaysRun = true)
  protected void removeDirectory() {
    Util.recursiveFileRemove(directory);
  }
}
