package io.varve.infinispan.conformance;

import io.varve.infinispan.VarveStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.IdentityKeyValueWrapper;
import org.infinispan.xsite.irac.persistence.BaseIracPersistenceTest;
import org.testng.annotations.Test;

/// The internal metadata of replication between sites, through the store and back.
@Test(groups = "functional", testName = "io.varve.infinispan.conformance.CrossSiteSuite")
public class CrossSiteSuite extends BaseIracPersistenceTest<String> {
  public CrossSiteSuite() {
    super(IdentityKeyValueWrapper.instance());
  }

  @Override
  protected void configure(ConfigurationBuilder builder) {
    builder.persistence().addStore(VarveStoreConfigurationBuilder.class).location(tmpDirectory);
  }
}
