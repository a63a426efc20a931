package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.MapEntrySetTester;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Guava's suite of what the JDK promises of concurrent navigable maps: the map, its head, tail and
/// sub-maps with either kind of bound, the descending map, sub-maps of sub-maps, and the sets and
/// collections of them all.
class OrderedMapSuiteTest {
  /// The suite has 33 thousand tests; far fewer would mean that it was not put together right.
  private static final int TEST_COUNT_MIN = 30_000;

  /// More maps than any test of the suite has at once; each new one takes the space of the oldest.
  private static final int SPACE_COUNT = 16;

  private final Store store = Store.inMemory();
  private int mapCount;

  @AfterEach
  void storeIsSound() {
    store.verify().requireSound();
    store.close();
  }

  @Test
  void mapAndViewsDoWhatTheirInterfacesPromise() {
    int testCount = requirePasses("map", Codec.string(), CollectionSize.ANY);
    assertThat(testCount).isGreaterThan(TEST_COUNT_MIN);
  }

  /// A codec whose order is not the natural one: views and spliterators must tell it.
  @Test
  void mapInAnotherOrderThanTheNaturalOne() {
    Codec<String> backwards =
        Codec.of(OrderedMapSuiteTest::complement, OrderedMapSuiteTest::original);
    requirePasses("backwards map", backwards, CollectionSize.SEVERAL);
  }

  /// The keys of these tests are ASCII and end in no 0xff.
  private static byte[] complement(String key) {
    byte[] bytes = Codec.string().encode(key + "\u0000");
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return bytes;
  }

  private static String original(byte[] bytes) {
    byte[] key = new byte[bytes.length - 1];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) ~bytes[i];
    }
    return Codec.string().decode(key);
  }

  private int requirePasses(String name, Codec<String> keys, CollectionSize size) {
    var suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(new Generator(keys))
            .named(name)
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                size)
            .suppressing(
                // Entries do not change, like those of ConcurrentSkipListMap.
                MapEntrySetTester.getSetValueMethod(),
                MapEntrySetTester.getSetValueWithNullValuesAbsentMethod())
            .createTestSuite();
    return GuavaSuite.requirePasses(suite);
  }

  private final class Generator extends TestStringSortedMapGenerator {
    private final Codec<String> keys;
    private final Comparator<? super String> order;

    Generator(Codec<String> keys) {
      this.keys = keys;
      this.order = Objects.requireNonNull(keys.comparator());
    }

    @Override
    protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
      OrderedMap<String, String> map =
          store.map("map" + mapCount++ % SPACE_COUNT, keys, Codec.string());
      map.clear();
      for (Map.Entry<String, String> entry : entries) {
        map.put(entry.getKey(), entry.getValue());
      }
      return map;
    }

    @Override
    public Iterable<Map.Entry<String, String>> order(List<Map.Entry<String, String>> inserted) {
      inserted.sort(Map.Entry.comparingByKey(order));
      return inserted;
    }

    @Override
    public Map.Entry<String, String> belowSamplesLesser() {
      return isBackwards() ? super.aboveSamplesGreater() : super.belowSamplesLesser();
    }

    @Override
    public Map.Entry<String, String> belowSamplesGreater() {
      return isBackwards() ? super.aboveSamplesLesser() : super.belowSamplesGreater();
    }

    @Override
    public Map.Entry<String, String> aboveSamplesLesser() {
      return isBackwards() ? super.belowSamplesGreater() : super.aboveSamplesLesser();
    }

    @Override
    public Map.Entry<String, String> aboveSamplesGreater() {
      return isBackwards() ? super.belowSamplesLesser() : super.aboveSamplesGreater();
    }

    private boolean isBackwards() {
      return order.compare("a", "b") > 0;
    }
  }
}
