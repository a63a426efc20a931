package io.varve.infinispan;

import io.varve.KeySource;
import java.util.Objects;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/// Has all stores of a cache manager encrypted by one key:
///
/// ```java
/// global
///     .addModule(StoreKeyConfigurationBuilder.class)
///     .key(KeySource.file(Path.of("/etc/shop/store.key")));
/// ```
///
/// The key is of the manager and not of a cache: all nodes of a cluster get the definition of a
/// cache, and so do those who may read it. A store is encrypted if it was made so: one that is in
/// clear is refused, and so is an encrypted one without its key.
public final class StoreKeyConfigurationBuilder implements Builder<StoreKeyConfiguration> {
  private @Nullable KeySource key;

  /// Made by Infinispan, for one configuration.
  public StoreKeyConfigurationBuilder(GlobalConfigurationBuilder global) {}

  /// Sets the key.
  public StoreKeyConfigurationBuilder key(KeySource value) {
    key = Objects.requireNonNull(value, "key");
    return this;
  }

  @Override
  public StoreKeyConfiguration create() {
    return new StoreKeyConfiguration(
        Objects.requireNonNull(key, "no key of the stores; set it by key(KeySource)"));
  }

  @Override
  public Builder<?> read(StoreKeyConfiguration template, Combine combine) {
    key = template.key();
    return this;
  }

  @Override
  public AttributeSet attributes() {
    return AttributeSet.EMPTY;
  }
}
