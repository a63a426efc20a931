package io.varve.infinispan.migration;

import io.varve.Durability;
import io.varve.infinispan.VarveStoreConfigurationBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.container.versioning.NumericVersion;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.metadata.EmbeddedMetadata;
import org.infinispan.persistence.file.SingleFileStoreConfigurationBuilder;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;

/// Caches in Infinispan's own stores, and in Varve, with what a cache can have.
final class OldStores {
  static final String NAME = "orders";
  private static final int PLAIN = 3_000;
  private static final int LARGE_BYTES = 3 << 20;

  private OldStores() {}

  static void addTo(PersistenceConfigurationBuilder persistence, SourceStore kind, Path location) {
    switch (kind) {
      case SOFT_INDEX ->
          persistence
              .addSoftIndexFileStore()
              .dataLocation(location.toString())
              .indexLocation(location.toString());
      case SINGLE_FILE ->
          persistence
              .addStore(SingleFileStoreConfigurationBuilder.class)
              .location(location.toString());
      case ROCKSDB ->
          persistence
              .addStore(RocksDBStoreConfigurationBuilder.class)
              .location(location.toString())
              .expiredLocation(location.resolve("expired").toString());
    }
  }

  /// A configuration of a cache in an old store.
  static ConfigurationBuilder old(
      SourceStore kind, Path location, int segments, boolean segmented) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.clustering().hash().numSegments(segments);
    addTo(configuration.persistence(), kind, location);
    configuration.persistence().stores().forEach(store -> store.segmented(segmented));
    return configuration;
  }

  /// A configuration of the cache in Varve.
  static ConfigurationBuilder varve(Path location) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.memory().maxCount(1); // so that reads go to the store
    configuration
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(location.toString())
        .durability(Durability.PROCESS_CRASH);
    return configuration;
  }

  static void use(ConfigurationBuilder configuration, Consumer<Cache<Object, Object>> work)
      throws Exception {
    try (DefaultCacheManager manager = new DefaultCacheManager()) {
      manager.defineConfiguration(NAME, configuration.build());
      work.accept(manager.getCache(NAME));
    }
  }

  /// Puts entries that expire and do not, with versions, large, replaced and removed.
  static void fill(Cache<Object, Object> cache) {
    Map<Object, Object> plain = new HashMap<>();
    for (int i = 0; i < PLAIN; i++) {
      plain.put("k" + i, "v" + i);
    }
    cache.putAll(plain);
    for (int i = 0; i < PLAIN; i += 3) {
      cache.put("k" + i, "replaced" + i);
    }
    for (int i = 0; i < PLAIN; i += 5) {
      cache.remove("k" + i);
    }
    cache.put(42, 43L);
    cache.put("bytes", new byte[] {1, 2, 3});
    cache.put("large", "x".repeat(LARGE_BYTES));
    cache.put("mortal", "v", 10, TimeUnit.HOURS);
    cache.put("transient", "v", -1, TimeUnit.HOURS, 11, TimeUnit.HOURS);
    cache.put("both", "v", 12, TimeUnit.HOURS, 13, TimeUnit.HOURS);
    AdvancedCache<Object, Object> advanced = cache.getAdvancedCache();
    advanced.put(
        "versioned", "v", new EmbeddedMetadata.Builder().version(new NumericVersion(77)).build());
    advanced.put(
        "versioned and mortal",
        "v",
        new EmbeddedMetadata.Builder()
            .version(new NumericVersion(78))
            .lifespan(14, TimeUnit.HOURS)
            .build());
  }

  /// All that a cache returns of its entries, by key.
  static Map<String, String> content(Cache<Object, Object> cache) {
    Map<String, String> content = new TreeMap<>();
    Collection<Object> keys = new ArrayList<>(cache.keySet());
    for (Object key : keys) {
      CacheEntry<Object, Object> entry = cache.getAdvancedCache().getCacheEntry(key);
      String value =
          entry.getValue() instanceof byte[] bytes
              ? List.of(bytes.length, bytes[0]).toString()
              : entry.getValue().toString();
      content.put(
          key.getClass() + " " + key,
          value
              + ", created="
              + entry.getCreated()
              + ", lifespan="
              + entry.getLifespan()
              + ", maxIdle="
              + entry.getMaxIdle()
              + ", version="
              + entry.getMetadata().version()
              + ", internal="
              + entry.getInternalMetadata());
    }
    return content;
  }

  /// The content of all files, and when they were last written to.
  static Map<String, String> files(Path directory) throws Exception {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        if (Files.isRegularFile(file)) {
          files.put(
              file.toString(),
              Files.getLastModifiedTime(file)
                  + " "
                  + java.util.Arrays.hashCode(Files.readAllBytes(file)));
        } else {
          files.put(file.toString(), "directory");
        }
      }
    }
    return files;
  }
}
