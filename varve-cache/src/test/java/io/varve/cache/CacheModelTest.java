package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A cache in each storage mode against a [HashMap], with a heap that is far too small.
class CacheModelTest {
  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheManager manager() {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.toString());
    return provider.getCacheManager(null, null, properties);
  }

  @SuppressWarnings("unchecked") // made with these types
  private VarveCache<String, String> create(StorageMode mode, int segments) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    options.mode(mode).segments(segments).durability(Durability.BACKGROUND);
    if (mode.hasPages()) {
      options.heapEntriesMax(20);
    }
    return manager().createCache("c", options).unwrap(VarveCache.class);
  }

  private static String key(int number) {
    return number % 50 == 0 ? "long".repeat(1000) + number : "k" + number;
  }

  private static void change(
      VarveCache<String, String> cache, Map<String, String> model, SplittableRandom random) {
    String key = key(random.nextInt(300));
    String value = "v" + random.nextInt();
    switch (random.nextInt(9)) {
      case 0 -> {
        cache.put(key, value);
        model.put(key, value);
      }
      case 1 -> assertThat(cache.getAndPut(key, value)).isEqualTo(model.put(key, value));
      case 2 ->
          assertThat(cache.putIfAbsent(key, value))
              .isEqualTo(model.putIfAbsent(key, value) == null);
      case 3 -> assertThat(cache.remove(key)).isEqualTo(model.remove(key) != null);
      case 4 -> assertThat(cache.getAndRemove(key)).isEqualTo(model.remove(key));
      case 5 -> assertThat(cache.getAndReplace(key, value)).isEqualTo(model.replace(key, value));
      case 6 -> {
        String old = model.getOrDefault(key, "none");
        assertThat(cache.replace(key, old, value)).isEqualTo(model.replace(key, old, value));
      }
      case 7 ->
          cache.invoke(
              key,
              (entry, _) -> {
                assertThat(entry.getValue()).isEqualTo(model.get(key));
                entry.setValue(value);
                model.put(key, value);
                return null;
              });
      default -> assertThat(cache.get(key)).isEqualTo(model.get(key));
    }
  }

  private static void requireEqual(VarveCache<String, String> cache, Map<String, String> model) {
    Map<String, String> found = new HashMap<>();
    cache.forEach(entry -> assertThat(found.put(entry.getKey(), entry.getValue())).isNull());
    assertThat(found).isEqualTo(model);
    assertThat(cache.size()).isEqualTo(model.size());
    assertThat(LongStream.range(0, cache.segments()).map(i -> cache.size((int) i)).sum())
        .isEqualTo(model.size());
    List<String> bySegment = new ArrayList<>();
    for (int segment = 0; segment < cache.segments(); segment++) {
      int expected = segment;
      cache
          .segment(segment)
          .forEachRemaining(entry -> {
            assertThat(cache.segmentOf(entry.getKey())).isEqualTo(expected);
            bySegment.add(entry.getKey());
          });
    }
    assertThat(bySegment).containsExactlyInAnyOrderElementsOf(model.keySet());
  }

  @ParameterizedTest
  @EnumSource
  void aCacheHoldsWhatAMapHolds(StorageMode mode) {
    SplittableRandom random = new SplittableRandom(3);
    Map<String, String> model = new HashMap<>();
    VarveCache<String, String> cache = create(mode, 16);
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 400; i++) {
        change(cache, model, random);
      }
      requireEqual(cache, model);
    }
    cache.clear();
    requireEqual(cache, Map.of());
  }

  /// A clean close keeps all entries of a cache that has pages; another number of segments spreads
  /// them again.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void entriesStayOverACloseAndFollowTheSegments(StorageMode mode) {
    SplittableRandom random = new SplittableRandom(5);
    Map<String, String> model = new HashMap<>();
    for (int segments : new int[] {16, 16, 3, 256}) {
      VarveCache<String, String> cache = create(mode, segments);
      requireEqual(cache, model);
      for (int i = 0; i < 300; i++) {
        change(cache, model, random);
      }
      cache.getCacheManager().close();
    }
    requireEqual(create(mode, 1), model);
  }

  @Test
  void destroyingACacheRemovesItsEntriesAlone() {
    VarveCache<String, String> cache = create(StorageMode.PAGES, 4);
    cache.put("a", "1");
    CacheOptions<String, String> options =
        new CacheOptions<String, String>().mode(StorageMode.PAGES);
    manager().createCache("other", options).put("b", "2");
    manager().destroyCache("c");
    assertThat(create(StorageMode.PAGES, 4).get("a")).isNull();
    assertThat(manager().<String, String>getCache("other").get("b")).isEqualTo("2");
    assertThat(StreamSupport.stream(manager().getCacheNames().spliterator(), false))
        .containsExactlyInAnyOrder("c", "other");
  }

  record Name(String first, String last) implements Serializable {}

  /// Guards against equal keys that are written differently, and so are two keys in pages.
  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("StringOperationCanBeSimplified") // other objects on purpose
  void equalKeysAreOneKey(StorageMode mode) {
    CacheOptions<Name, String> options = new CacheOptions<>();
    options.setTypes(Name.class, String.class);
    Cache<Name, String> cache = manager().createCache("names", options.mode(mode));
    cache.put(new Name("a", "a"), "1");
    Name equal = new Name(new String("a"), new String("a"));
    assertThat(cache.get(equal)).isEqualTo("1");
    cache.put(equal, "2");
    assertThat(cache).hasSize(1);
    assertThat(cache.unwrap(VarveCache.class).size()).isEqualTo(1);
    assertThat(cache.remove(new Name("a", "a"))).isTrue();
    assertThat(cache).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anArrayIsNoKey(StorageMode mode) {
    Cache<byte[], String> cache =
        manager().createCache("arrays", new CacheOptions<byte[], String>().mode(mode));
    assertThatThrownBy(() -> cache.put(new byte[] {1}, "one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("byte[]");
  }

  /// More bytes than a commit may have are spread again in several.
  @Test
  void largeValuesFollowTheSegments() {
    CacheOptions<Integer, byte[]> options = new CacheOptions<>();
    options.setTypes(Integer.class, byte[].class);
    options.mode(StorageMode.PAGES).durability(Durability.BACKGROUND);
    Cache<Integer, byte[]> cache = manager().createCache("large", options.segments(1));
    for (int i = 0; i < 80; i++) {
      byte[] value = new byte[1 << 19];
      value[i] = 1;
      cache.put(i, value);
    }
    cache.close();
    cache = manager().createCache("large", options.segments(4));
    for (int i = 0; i < 80; i++) {
      assertThat(cache.get(i)[i]).isEqualTo((byte) 1);
    }
    assertThat(cache.unwrap(VarveCache.class).size()).isEqualTo(80);
  }
}
