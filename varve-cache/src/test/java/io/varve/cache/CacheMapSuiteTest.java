package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.Helpers;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.MapToStringTester;
import io.varve.Durability;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.cache.Cache;
import javax.cache.CacheManager;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Guava's suite of what the JDK promises of concurrent maps, their sets and collections. It runs
/// on the map view of a cache in every storage mode, with a heap that is far too small.
class CacheMapSuiteTest {
  /// The suite has 927 tests; far fewer would mean that it was not put together right.
  private static final int TEST_COUNT_MIN = 900;

  /// More maps than any test of the suite has at a time; each new one takes the cache of the
  /// oldest.
  private static final int CACHE_COUNT = 8;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private int mapCount;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  @ParameterizedTest
  @EnumSource
  void theMapViewDoesWhatItsInterfacePromises(StorageMode mode) {
    var suite =
        ConcurrentMapTestSuiteBuilder.using(
                new TestStringMapGenerator() {
                  @Override
                  protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                    Map<String, String> map = newMap(mode);
                    for (Map.Entry<String, String> entry : entries) {
                      map.put(entry.getKey(), entry.getValue());
                    }
                    return map;
                  }
                })
            .named("cache in mode " + mode)
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .suppressing(inStableOrder(mode))
            .createTestSuite();
    TestResult result = new TestResult();
    suite.run(result);
    List<String> failed = new ArrayList<>();
    for (TestFailure failure : Collections.list(result.failures())) {
      failed.add(failure + "\n" + failure.trace());
    }
    for (TestFailure failure : Collections.list(result.errors())) {
      failed.add(failure + "\n" + failure.trace());
    }
    assertThat(failed).as("failures of %d tests", result.runCount()).isEmpty();
    assertThat(result.runCount()).isGreaterThan(TEST_COUNT_MIN);
  }

  /// The tests that iterate twice and want one order, which entries that move have not.
  private static List<Method> inStableOrder(StorageMode mode) {
    return mode == StorageMode.OVERFLOW
        ? List.of(Helpers.getMethod(MapToStringTester.class, "testToString_formatting"))
        : List.of();
  }

  @SuppressWarnings("unchecked") // made with these types
  private Map<String, String> newMap(StorageMode mode) {
    CacheManager manager = provider.getCacheManager();
    String name = "c" + mapCount++ % CACHE_COUNT;
    Cache<String, String> cache = manager.getCache(name);
    if (cache == null) {
      cache = manager.createCache(name, options(mode));
    }
    cache.clear();
    return cache.unwrap(VarveCache.class).asMap();
  }

  private static CacheOptions<String, String> options(StorageMode mode) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    options.mode(mode).segments(4).durability(Durability.BACKGROUND);
    return mode.hasPages() ? options.heapEntriesMax(2) : options;
  }
}
