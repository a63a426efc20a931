package io.varve.grid.guard;

import java.util.Objects;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// Puts a [Door] into the configuration of a node. Public, since Infinispan makes it.
public final class DoorConfigurationBuilder implements Builder<DoorConfiguration> {
  private @Nullable Door door;

  /// Made by Infinispan, for one configuration.
  public DoorConfigurationBuilder(GlobalConfigurationBuilder global) {}

  void door(Door value) {
    door = value;
  }

  @Override
  public DoorConfiguration create() {
    return new DoorConfiguration(Objects.requireNonNull(door, "no door"));
  }

  @Override
  public Builder<?> read(DoorConfiguration template, Combine combine) {
    door = template.door();
    return this;
  }

  @Override
  public AttributeSet attributes() {
    return AttributeSet.EMPTY;
  }
}
