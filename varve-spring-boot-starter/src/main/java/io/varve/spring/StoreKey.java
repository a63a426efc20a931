package io.varve.spring;

import io.varve.KeySource;
import io.varve.StoreOptions;
import io.varve.cache.VarveCachingProvider;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/// The key by which all that an application stores is encrypted: that of a file, of a bean, or
/// none.
///
/// @param source null for no key
record StoreKey(@Nullable KeySource source) {
  static StoreKey of(VarveProperties properties, ObjectProvider<KeySource> beans) {
    if (properties.keyFile() == null) {
      return new StoreKey(beans.getIfAvailable());
    }
    if (beans.getIfAvailable() != null) {
      throw new IllegalStateException(
          "there are two keys: varve.key-file="
              + properties.keyFile()
              + ", and a bean of type KeySource; leave out one");
    }
    return new StoreKey(KeySource.file(Path.of(properties.keyFile())));
  }

  /// Sets the key of a manager of caches, if there is one.
  void applyTo(Properties properties) {
    if (source != null) {
      properties.put(VarveCachingProvider.KEY_SOURCE, source);
    }
  }

  /// The same options with the key, if there is one.
  StoreOptions applyTo(StoreOptions options) {
    return source == null ? options : options.encryption(source);
  }
}
