package io.varve.spring;

import io.varve.Store;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/// The health of the store, as Spring Boot 4 asks for it.
///
/// @since 1.0
@AutoConfiguration(after = VarveStoreAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnSingleCandidate(Store.class)
@ConditionalOnProperty(name = "management.health.varve.enabled", matchIfMissing = true)
public class VarveHealth4AutoConfiguration {
  /// Made by Spring.
  public VarveHealth4AutoConfiguration() {}

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
