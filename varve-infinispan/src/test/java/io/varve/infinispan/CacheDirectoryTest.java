package io.varve.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Directories of caches with unexpected names.
class CacheDirectoryTest {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final String LETTERS = "ab_-./\\%A2EF ~\0ä☃";

  @TempDir Path location;

  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "Orders-2.v1_x, Orders-2.v1_x",
    "a/b, a%2Fb",
    "a_b, a_b",
    "a%2Fb, a%252Fb",
    "., %2E",
    ".., %2E.",
    "../../etc, %2E.%2F..%2Fetc",
    ".hidden, %2Ehidden",
    "___protobuf_metadata, ___protobuf_metadata",
  })
  void namesAreWrittenAsDirectories(String cache, String directory) {
    assertThat(CacheDirectory.nameOf(cache)).isEqualTo(directory);
  }

  /// DIR-1, DIR-2 of random names, of which many are near to each other.
  @Test
  void namesNeverShareADirectoryNorLeaveTheLocation() {
    var random = new Random(SEED);
    Map<String, String> caches = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder name = new StringBuilder();
      int length = i % 50 == 0 ? 300 : 1 + random.nextInt(4);
      for (int letter = 0; letter < length; letter++) {
        name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      String cache = name.toString();
      String directory = CacheDirectory.nameOf(cache);
      String other = caches.putIfAbsent(directory, cache);
      assertThat(other == null ? cache : other).as("seed=%d", SEED).isEqualTo(cache);
      Path path = location.resolve(directory).normalize();
      assertThat(path.getParent()).as("seed=%d, cache=%s", SEED, cache).isEqualTo(location);
    }
  }

  @Test
  void aDirectoryOfAnEarlierVersionIsFound() throws Exception {
    Files.createDirectories(location.resolve("a_b/varve"));
    assertThat(CacheDirectory.of(location, "a/b", "a_b"::equals).resolve("varve")).doesNotExist();
    assertThat(CacheDirectory.of(location, "a/b", _ -> false)).isEqualTo(location.resolve("a%2Fb"));
    assertThat(location.resolve("a%2Fb/varve")).isDirectory();
    assertThat(location.resolve("a_b")).doesNotExist();
  }

  @Test
  void cachesKeepTheirEntriesApartAndBelowTheLocation() throws Exception {
    Path data = Files.createDirectory(location.resolve("data"));
    for (int start = 0; start < 2; start++) {
      try (DefaultCacheManager caches = new DefaultCacheManager(global(data).build(), true)) {
        for (String name : List.of("..", "a/b", "a_b")) {
          caches.defineConfiguration(name, persistent().build());
          Cache<String, String> cache = caches.getCache(name);
          assertThat(cache.put("name", name)).isEqualTo(start == 0 ? null : name);
        }
      }
    }
    try (Stream<Path> files = Files.list(location)) {
      assertThat(files).containsExactly(data);
    }
  }

  private static GlobalConfigurationBuilder global(Path data) {
    var global = new GlobalConfigurationBuilder();
    global.globalState().enable().persistentLocation(data.toString());
    return global;
  }

  private static ConfigurationBuilder persistent() {
    var cache = new ConfigurationBuilder();
    cache.persistence().addStore(VarveStoreConfigurationBuilder.class);
    return cache;
  }
}
