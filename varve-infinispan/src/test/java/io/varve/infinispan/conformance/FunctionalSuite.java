package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.persistence.BaseStoreFunctionalTest;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/// Caches over the store, of one segment, of some and of many, and not segmented.
@Test(groups = "unit", testName = "io.varve.infinispan.conformance.FunctionalSuite")
public class FunctionalSuite extends BaseStoreFunctionalTest {
  private final int segments;
  private final boolean segmented;

  private FunctionalSuite(int segments, boolean segmented) {
    this.segments = segments;
    this.segmented = segmented;
  }

  @Factory
  public static Object[] instances() {
    return new Object[] {
      new FunctionalSuite(1, true),
      new FunctionalSuite(10, true),
      new FunctionalSuite(256, true),
      new FunctionalSuite(256, false),
    };
  }

  @Override
  protected String parameters() {
    return "[" + segments + ", " + segmented + "]";
  }

  @Override
  protected ConfigurationBuilder getDefaultCacheConfiguration() {
    ConfigurationBuilder builder = super.getDefaultCacheConfiguration();
    builder.clustering().hash().numSegments(segments);
    return builder;
  }

  @Override
  protected PersistenceConfigurationBuilder createCacheStoreConfig(
      PersistenceConfigurationBuilder persistence, String cacheName, boolean preload) {
    persistence
        .addStore(VarveStoreConfigurationBuilder.class)
        .segmented(segmented)
        .preload(preload);
    return persistence;
  }
}
