package io.varve.cache.internal.jcache;

import io.varve.KeySource;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.cache.VarveCachingProvider;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.BiFunction;
import javax.cache.CacheException;

/// What the properties of a manager say about its store.
final class ManagerProperties {
  private ManagerProperties() {}

  /// The options that the properties set.
  ///
  /// @throws CacheException if one cannot be used
  static StoreOptions storeOptions(Properties properties) {
    StoreOptions options = encrypted(properties);
    options =
        with(
            properties,
            VarveCachingProvider.CACHE_BYTES,
            "1048576 or more",
            options,
            (before, value) -> before.cacheBytes(Long.parseLong(value)));
    options =
        with(
            properties,
            VarveCachingProvider.OFF_HEAP_BYTES,
            "0, or 1048576 or more",
            options,
            (before, value) -> before.cache(cache -> cache.offHeapBytes(Long.parseLong(value))));
    return with(
        properties,
        VarveCachingProvider.PAGE_BYTES,
        "a power of two from 1024 to 32768",
        options,
        (before, value) -> before.pageBytes(Integer.parseInt(value)));
  }

  /// Sets what a property contains, if it is there.
  private static StoreOptions with(
      Properties properties,
      String name,
      String allowed,
      StoreOptions options,
      BiFunction<StoreOptions, String, StoreOptions> set) {
    String value = properties.getProperty(name);
    try {
      return value == null ? options : set.apply(options, value);
    } catch (IllegalArgumentException e) {
      throw new CacheException(
          "a property of a cache manager cannot be used: "
              + name
              + "="
              + value
              + "; give a number of bytes, "
              + allowed,
          e);
    }
  }

  /// Whether they name a key.
  static boolean haveKey(Properties properties) {
    return properties.containsKey(VarveCachingProvider.KEY_FILE)
        || properties.containsKey(VarveCachingProvider.KEY_SOURCE);
  }

  private static StoreOptions encrypted(Properties properties) {
    StoreOptions options = StoreOptions.defaults();
    Object source = properties.get(VarveCachingProvider.KEY_SOURCE);
    Object named = properties.get(VarveCachingProvider.KEY_FILE);
    if (named != null && !(named instanceof String)) { // It would be taken for none, and no key.
      throw new CacheException(
          VarveCachingProvider.KEY_FILE
              + " of a cache manager is no text: class="
              + named.getClass().getName()
              + "; set it by setProperty");
    }
    String file = properties.getProperty(VarveCachingProvider.KEY_FILE);
    if (source == null) {
      return file == null ? options : options.encryption(read(file));
    }
    if (file != null) {
      throw new CacheException(
          "a cache manager has two keys: "
              + VarveCachingProvider.KEY_FILE
              + "="
              + file
              + ", and "
              + VarveCachingProvider.KEY_SOURCE
              + "; leave out one");
    }
    if (source instanceof KeySource key) {
      return options.encryption(key);
    }
    throw new CacheException(
        VarveCachingProvider.KEY_SOURCE
            + " of a cache manager is no KeySource: class="
            + source.getClass().getName()
            + "; name a file by "
            + VarveCachingProvider.KEY_FILE);
  }

  private static KeySource read(String file) {
    try {
      return KeySource.file(Path.of(file));
    } catch (VarveException e) {
      throw new CacheException("the key of a cache manager cannot be used: " + e.getMessage(), e);
    }
  }
}
