package io.varve.spring;

import io.varve.Store;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/// The health of the store, as Spring Boot 3 asks for it.
///
/// @since 1.0
@AutoConfiguration(after = VarveStoreAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnMissingClass("org.springframework.boot.health.contributor.HealthIndicator")
@ConditionalOnSingleCandidate(Store.class)
@ConditionalOnProperty(name = "management.health.varve.enabled", matchIfMissing = true)
public class VarveHealth3AutoConfiguration {
  /// Made by Spring.
  public VarveHealth3AutoConfiguration() {}

  @Bean
  HealthIndicator varveHealthIndicator(Store store) {
    return new AbstractHealthIndicator("the store of Varve does not work") {
      @Override
      protected void doHealthCheck(Health.Builder builder) {
        builder.up().withDetails(StoreHealth.details(store));
      }
    };
  }
}
