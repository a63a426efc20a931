package io.varve.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.Store;
import io.varve.micrometer.VarveStoreMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/// Meters of the store, which Spring Boot registers.
///
/// @since 1.0
@AutoConfiguration(after = VarveStoreAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, VarveStoreMetrics.class})
@ConditionalOnSingleCandidate(Store.class)
public class VarveStoreMetricsAutoConfiguration {
  /// Made by Spring.
  public VarveStoreMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  VarveStoreMetrics varveStoreMetrics(Store store) {
    return new VarveStoreMetrics(store, "varve");
  }
}
