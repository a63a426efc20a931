package io.varve.internal.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.MapEntrySetTester;
import io.varve.Codec;
import io.varve.OrderedMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Supplier;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import org.junit.jupiter.api.Test;

/// Guava's suite of what the JDK promises of concurrent navigable maps: the map, its head, tail and
/// sub-maps with either kind of bound, the descending map, sub-maps of sub-maps, and the sets and
/// collections of them all.
class SpaceMapSuiteTest {
  /// The suite has 33 thousand tests; far fewer would mean that it was not put together right.
  private static final int TEST_COUNT_MIN = 30_000;

  @Test
  void mapAndViewsDoWhatTheirInterfacesPromise() {
    int testCount =
        requirePasses(
            "map",
            () -> new SpaceMap<>(HeapSpace.create(), Codec.string(), Codec.string()),
            CollectionSize.ANY);
    assertThat(testCount).isGreaterThan(TEST_COUNT_MIN);
  }

  /// A codec whose order is not the natural one: views and spliterators must tell it.
  @Test
  void mapInAnotherOrderThanTheNaturalOne() {
    Codec<String> backwards = Codec.of(SpaceMapSuiteTest::complement, SpaceMapSuiteTest::original);
    requirePasses(
        "backwards map",
        () -> new SpaceMap<>(HeapSpace.create(), backwards, Codec.string()),
        CollectionSize.SEVERAL);
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

  private static int requirePasses(
      String name, Supplier<OrderedMap<String, String>> maps, CollectionSize size) {
    var suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(new Generator(maps))
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
    var result = new TestResult();
    suite.run(result);
    List<String> failed = new ArrayList<>();
    for (TestFailure failure : Collections.list(result.failures())) {
      failed.add(failure.toString() + "\n" + failure.trace());
    }
    for (TestFailure failure : Collections.list(result.errors())) {
      failed.add(failure.toString() + "\n" + failure.trace());
    }
    assertThat(failed).as("failures of %d tests", result.runCount()).isEmpty();
    return result.runCount();
  }

  private static final class Generator extends TestStringSortedMapGenerator {
    private final Supplier<OrderedMap<String, String>> maps;

    Generator(Supplier<OrderedMap<String, String>> maps) {
      this.maps = maps;
    }

    @Override
    protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
      OrderedMap<String, String> map = maps.get();
      for (Map.Entry<String, String> entry : entries) {
        map.put(entry.getKey(), entry.getValue());
      }
      return map;
    }

    @Override
    public Iterable<Map.Entry<String, String>> order(List<Map.Entry<String, String>> inserted) {
      inserted.sort(Map.Entry.comparingByKey(Objects.requireNonNull(maps.get().comparator())));
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
      return Objects.requireNonNull(maps.get().comparator()).compare("a", "b") > 0;
    }
  }
}
