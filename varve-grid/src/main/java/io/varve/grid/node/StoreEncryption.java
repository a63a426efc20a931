package io.varve.grid.node;

import io.varve.KeySource;
import io.varve.infinispan.StoreKeyConfigurationBuilder;
import java.nio.file.Path;
import java.util.Map;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;

/// Has the stores of a node encrypted, those of caches that clients make too.
public final class StoreEncryption {
  /// The property of a node that names the file of the key.
  public static final String KEY_FILE = "varve.key-file";

  private StoreEncryption() {}

  /// Reads the key, if the properties name one.
  ///
  /// @throws io.varve.StoreKeyException if there is none in the file, or others may read it
  static void install(GlobalConfigurationBuilder global, Map<String, String> properties) {
    String file = properties.get(KEY_FILE);
    if (file != null) {
      global.addModule(StoreKeyConfigurationBuilder.class).key(KeySource.file(Path.of(file)));
    }
  }
}
