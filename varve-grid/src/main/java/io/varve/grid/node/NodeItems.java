package io.varve.grid.node;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.StoreOptions;
import io.varve.grid.items.ItemStore;
import io.varve.grid.items.ItemStoreConfigurationBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.infinispan.commons.util.ByteQuantity;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;

/// The items of a node, in a store that has the options of those below its caches.
final class NodeItems {
  private NodeItems() {}

  /// Gives a node items.
  ///
  /// @param node its directory
  /// @param properties of its configuration
  static ItemStore install(
      GlobalConfigurationBuilder global, Path node, Map<String, String> properties) {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.valueOf(required(properties, "varve.durability")))
            .cacheBytes(ByteQuantity.parse(required(properties, "varve.pages")));
    String keyFile = properties.get(StoreEncryption.KEY_FILE);
    if (keyFile != null) {
      options = options.encryption(KeySource.file(Path.of(keyFile)));
    }
    var items = new ItemStore(node, options);
    ItemStoreConfigurationBuilder.install(global, items);
    return items;
  }

  private static String required(Map<String, String> properties, String name) {
    return Objects.requireNonNull(properties.get(name), name);
  }
}
