package io.varve.spring;

import io.varve.KeySource;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.control.ControlSocket;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/// A store as a bean, if `varve.store.directory` names its directory, with its control socket.
///
/// @since 1.0
@AutoConfiguration
@ConditionalOnMissingBean(Store.class)
@ConditionalOnProperty("varve.store.directory")
@EnableConfigurationProperties(VarveProperties.class)
public class VarveStoreAutoConfiguration {
  /// Made by Spring.
  public VarveStoreAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  Store varveStore(VarveProperties properties, ObjectProvider<KeySource> keys) {
    VarveProperties.OfStore store = properties.store();
    if (store.directory() == null) {
      throw new IllegalStateException("varve.store.directory is empty; name a directory");
    }
    StoreOptions options = StoreKey.of(properties, keys).applyTo(StoreOptions.defaults());
    return Store.open(
        Path.of(store.directory()),
        store.durability() == null ? options : options.durability(store.durability()));
  }

  /// Null where there can be none.
  @Bean(destroyMethod = "close")
  @ConditionalOnProperty(name = "varve.store.control", matchIfMissing = true)
  @Nullable ControlSocket varveControlSocket(Store varveStore, VarveProperties properties) {
    String directory = properties.store().directory();
    return directory == null ? null : ControlSocket.openIfPossible(varveStore, Path.of(directory));
  }
}
