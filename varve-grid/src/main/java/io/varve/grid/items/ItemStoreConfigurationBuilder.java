package io.varve.grid.items;

import java.util.Objects;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// Puts an [ItemStore] into the configuration of a node. Public, since Infinispan makes it.
public final class ItemStoreConfigurationBuilder implements Builder<ItemStoreConfiguration> {
  private @Nullable ItemStore store;

  /// Made by Infinispan, for one configuration.
  public ItemStoreConfigurationBuilder(GlobalConfigurationBuilder global) {}

  /// Gives a node items.
  public static void install(GlobalConfigurationBuilder global, ItemStore store) {
    global.addModule(ItemStoreConfigurationBuilder.class).store = store;
  }

  @Override
  public ItemStoreConfiguration create() {
    return new ItemStoreConfiguration(Objects.requireNonNull(store, "no store of items"));
  }

  @Override
  public Builder<?> read(ItemStoreConfiguration template, Combine combine) {
    store = template.store();
    return this;
  }

  @Override
  public AttributeSet attributes() {
    return AttributeSet.EMPTY;
  }
}
