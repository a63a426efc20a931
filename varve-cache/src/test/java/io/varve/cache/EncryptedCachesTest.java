package io.varve.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.KeySource;
import io.varve.StoreKeyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Caches whose files are encrypted.
class EncryptedCachesTest {
  private static final String CACHE = "patients-of-the-clinic";
  private static final String KEY = "name-of-a-patient";
  private static final String VALUE = "what-the-patient-has";

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;
  private Path caches;
  private Path keyFile;

  @BeforeEach
  void writeKey() throws IOException {
    caches = directory.resolve("caches");
    keyFile = Files.writeString(directory.resolve("caches.key"), "5a".repeat(32) + "\n");
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
  }

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheManager manager(Properties properties) {
    return provider.getCacheManager(caches.toUri(), null, properties);
  }

  private static Properties properties(String name, Object value) {
    var properties = new Properties();
    properties.put(name, value);
    return properties;
  }

  private void requireNothingInClear() throws IOException {
    try (Stream<Path> all = Files.walk(caches)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain(CACHE, KEY, VALUE);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StorageMode.class,
      names = {"TIERED", "PAGES", "OVERFLOW"})
  void noFileHoldsAnEntryInClear(StorageMode mode) throws IOException {
    Properties key = properties(VarveCachingProvider.KEY_FILE, keyFile.toString());
    CacheOptions<String, String> options =
        new CacheOptions<String, String>().mode(mode).heapEntriesMax(10);
    options.setTypes(String.class, String.class);
    try (CacheManager manager = manager(key)) {
      Cache<String, String> cache = manager.createCache(CACHE, options);
      for (int i = 0; i < 100; i++) {
        cache.put(KEY + i, VALUE);
      }
    }
    requireNothingInClear();
    try (CacheManager manager = manager(key)) {
      assertThat(manager.createCache(CACHE, options).get(KEY + 1)).isEqualTo(VALUE);
    }
  }

  @Test
  void withoutTheRightKeyNothingIsReadNorHarmed() throws IOException {
    KeySource right = KeySource.of(new byte[KeySource.KEY_BYTES]);
    byte[] other = new byte[KeySource.KEY_BYTES];
    Arrays.fill(other, (byte) 7);
    try (CacheManager manager = manager(properties(VarveCachingProvider.KEY_SOURCE, right))) {
      put(manager);
    }
    requireNothingInClear();
    for (Properties wrong :
        new Properties[] {
          new Properties(), properties(VarveCachingProvider.KEY_SOURCE, KeySource.of(other))
        }) {
      try (CacheManager manager = manager(wrong)) {
        assertThatThrownBy(() -> put(manager)).isInstanceOf(StoreKeyException.class);
      }
    }
    try (CacheManager manager = manager(properties(VarveCachingProvider.KEY_SOURCE, right))) {
      assertThat(put(manager)).isEqualTo(VALUE);
    }
  }

  /// M2: the second manager wrote in clear, though it had a key, or read without one.
  @Test
  void managersOfADirectoryHaveOneKey() throws IOException {
    Properties key = properties(VarveCachingProvider.KEY_FILE, keyFile.toString());
    Properties sameKey = properties(VarveCachingProvider.KEY_SOURCE, KeySource.file(keyFile));
    Properties otherKey =
        properties(VarveCachingProvider.KEY_SOURCE, KeySource.of(new byte[KeySource.KEY_BYTES]));
    try (CacheManager first = manager(key)) {
      put(first);
      requireRefused(new Properties(), "with another key");
      requireRefused(otherKey, "with another key");
      try (CacheManager second = of(sameKey)) {
        assertThat(put(second)).isEqualTo(VALUE);
      }
      try (CacheManager third = of(sameKey)) { // A refusal closes nothing of the first.
        assertThat(put(third)).isEqualTo(VALUE);
      }
    }
    caches = directory.resolve("clear");
    try (CacheManager first = manager(new Properties())) {
      put(first);
      requireRefused(key, "in clear");
    }
  }

  /// M2: a manager that was made without a key was given to one that asked for a key.
  @Test
  void aManagerIsGivenToNobodyWithAnotherKey() throws IOException {
    Properties key = properties(VarveCachingProvider.KEY_FILE, keyFile.toString());
    try (CacheManager inClear = manager(new Properties())) {
      assertThatThrownBy(() -> manager(key))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining("in clear");
      put(inClear);
    }
    caches = directory.resolve("encrypted");
    try (CacheManager encrypted = manager(key)) {
      assertThat(manager(new Properties())).isSameAs(encrypted);
      assertThat(manager(properties(VarveCachingProvider.KEY_SOURCE, KeySource.file(keyFile))))
          .isSameAs(encrypted);
      put(encrypted);
    }
    requireNothingInClear();
  }

  /// A copy of properties has no defaults: the directory was taken of them, and the key was not.
  @Test
  void aKeyAmongDefaultsIsUsed() throws IOException {
    Properties defaults = properties(VarveCachingProvider.KEY_FILE, keyFile.toString());
    try (CacheManager manager = manager(new Properties(defaults))) {
      put(manager);
    }
    requireNothingInClear();
  }

  private void requireRefused(Properties properties, String found) {
    try (CacheManager second = of(properties)) {
      assertThatThrownBy(() -> put(second))
          .isInstanceOf(StoreKeyException.class)
          .hasMessageContaining(found);
    }
  }

  /// Another manager of the same directory: that of a URI is one for each class loader.
  private CacheManager of(Properties properties) {
    return new VarveCachingProvider()
        .getCacheManager(caches.toUri(), new ClassLoader() {}, properties);
  }

  /// @return what was there before
  private static String put(CacheManager manager) {
    Cache<String, String> cache =
        manager.createCache(CACHE, new CacheOptions<String, String>().mode(StorageMode.PAGES));
    return cache.getAndPut(KEY, VALUE);
  }

  @Test
  void aFileOfCachesNamesItsKey() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            directory: caches
            key-file: caches.key
            caches:
              %s:
                mode: pages
            """
                .formatted(CACHE));
    try (CacheManager manager = provider.getCacheManager(file.toUri(), null)) {
      manager.getCache(CACHE).put(KEY, VALUE);
    }
    requireNothingInClear();
    assertThat(caches.resolve("keys")).exists();
  }

  @Test
  void theExampleOfTheGuideRuns() throws IOException {
    Properties properties = new Properties();
    properties.setProperty(
        VarveCachingProvider.KEY_FILE, directory.resolve("caches.key").toString());
    CacheManager manager =
        Caching.getCachingProvider()
            .getCacheManager(directory.resolve("caches").toUri(), null, properties);
    try (manager) {
      put(manager);
    }
    requireNothingInClear();
  }

  @Test
  void keysThatCannotBeUsedAreRefused() {
    Properties two = properties(VarveCachingProvider.KEY_FILE, keyFile.toString());
    two.put(VarveCachingProvider.KEY_SOURCE, KeySource.file(keyFile));
    assertThatThrownBy(() -> manager(two))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("leave out one");
    assertThatThrownBy(() -> manager(properties(VarveCachingProvider.KEY_SOURCE, "5a")))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("is no KeySource: class=java.lang.String");
    assertThatThrownBy(() -> manager(properties(VarveCachingProvider.KEY_FILE, keyFile)))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("is no text");
    assertThatThrownBy(() -> manager(properties(VarveCachingProvider.KEY_FILE, "")))
        .isInstanceOf(CacheException.class);
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> manager(properties(VarveCachingProvider.KEY_FILE, missing.toString())))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining(missing.toString());
    assertThat(caches).doesNotExist();
  }
}
