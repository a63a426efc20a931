package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Path;
import org.infinispan.commons.test.CommonsTestingUtil;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.persistence.MultiStoresFunctionalTest;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

/// Two nodes, each with its store, one of which comes back.
@Test(groups = "unit", testName = "io.varve.infinispan.conformance.MultiStoreSuite")
public class MultiStoreSuite extends MultiStoresFunctionalTest<VarveStoreConfigurationBuilder> {
  private final String directory = CommonsTestingUtil.tmpDirectory(getClass());

  @Override
  protected VarveStoreConfigurationBuilder buildCacheStoreConfig(
      PersistenceConfigurationBuilder persistence, String discriminator) {
    return persistence
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(Path.of(directory, discriminator).toString());
  }

  @AfterMethod(alwaysRun = true)
  protected void removeDirectory() {
    Util.recursiveFileRemove(directory);
  }
}
