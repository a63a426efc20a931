package io.varve.infinispan;

import java.util.ArrayList;
import java.util.List;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;

/// Puts a [StoreListener] into the configuration of a cache manager:
///
/// ```java
/// global.addModule(StoreListenerConfigurationBuilder.class).add(listener);
/// ```
public final class StoreListenerConfigurationBuilder
    implements Builder<StoreListenerConfiguration> {
  private final List<StoreListener> listeners = new ArrayList<>();

  /// Made by Infinispan, for one configuration.
  public StoreListenerConfigurationBuilder(GlobalConfigurationBuilder global) {}

  /// Has a listener called, after those that were added before it.
  public StoreListenerConfigurationBuilder add(StoreListener listener) {
    listeners.add(listener);
    return this;
  }

  @Override
  public StoreListenerConfiguration create() {
    return new StoreListenerConfiguration(List.copyOf(listeners));
  }

  @Override
  public Builder<?> read(StoreListenerConfiguration template, Combine combine) {
    listeners.clear();
    listeners.addAll(template.listeners());
    return this;
  }

  @Override
  public AttributeSet attributes() {
    return AttributeSet.EMPTY;
  }
}
