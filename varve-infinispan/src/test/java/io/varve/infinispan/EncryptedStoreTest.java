package io.varve.infinispan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.KeySource;
import io.varve.StoreKeyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Caches of a manager that has a key.
class EncryptedStoreTest {
  private static final String KEY = "name-of-a-patient";
  private static final String VALUE = "what-the-patient-has";

  @TempDir Path directory;

  private static KeySource key(int seed) {
    byte[] key = new byte[KeySource.KEY_BYTES];
    Arrays.fill(key, (byte) seed);
    return KeySource.of(key);
  }

  private static DefaultCacheManager manager(@Nullable KeySource key) {
    var global = new GlobalConfigurationBuilder();
    if (key != null) {
      global.addModule(StoreKeyConfigurationBuilder.class).key(key);
    }
    return new DefaultCacheManager(global.build());
  }

  private ConfigurationBuilder definition() {
    var definition = new ConfigurationBuilder();
    definition
        .persistence()
        .addStore(VarveStoreConfigurationBuilder.class)
        .location(directory.toString());
    return definition;
  }

  private Cache<String, String> cache(DefaultCacheManager manager) {
    return manager.createCache("patients", definition().build());
  }

  @Test
  void noFileHoldsAnEntryInClear() throws IOException {
    try (DefaultCacheManager manager = manager(key(1))) {
      cache(manager).put(KEY, VALUE);
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1)).doesNotContain(KEY, VALUE);
      }
    }
    Path store = directory.resolve("patients/varve");
    assertThat(VarveStore.count(store, key(1))).isEqualTo(1);
    assertThatThrownBy(() -> VarveStore.count(store)).isInstanceOf(StoreKeyException.class);
    for (KeySource wrong : new KeySource[] {null, key(2)}) {
      try (DefaultCacheManager manager = manager(wrong)) {
        assertThatThrownBy(() -> cache(manager)).hasStackTraceContaining("StoreKeyException");
      }
    }
    try (DefaultCacheManager manager = manager(key(1))) {
      assertThat(cache(manager).get(KEY)).isEqualTo(VALUE);
    }
  }

  @Test
  void theExampleOfTheGuideRuns() throws IOException {
    Path file = Files.writeString(directory.resolve("store.key"), "5a".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    global
        .addModule(StoreKeyConfigurationBuilder.class)
        .key(KeySource.file(directory.resolve("store.key"))); // openssl rand -hex 32 > store.key
    try (var manager = new DefaultCacheManager(global.build())) {
      cache(manager).put(KEY, VALUE);
    }
    assertThat(directory.resolve("patients/varve/keys")).exists();
  }

  @Test
  void anIndexInFilesIsRefused() {
    try (DefaultCacheManager manager = manager(key(1))) {
      ConfigurationBuilder inMemory = definition();
      inMemory.persistence().clearStores();
      inMemory
          .persistence()
          .addStore(VarveStoreConfigurationBuilder.class)
          .durability(Durability.NONE);
      for (ConfigurationBuilder definition :
          List.of(definition(), inMemory, new ConfigurationBuilder())) {
        definition
            .indexing()
            .enable()
            .storage(IndexStorage.FILESYSTEM)
            .path(directory.toString())
            .addIndexedEntity("io.varve.infinispan.query.Book");
        assertThatThrownBy(() -> manager.createCache("books", definition.build()))
            .isInstanceOf(CacheConfigurationException.class)
            .hasStackTraceContaining("local-heap");
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
