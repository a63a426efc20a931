package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.testers.MapEntrySetTester;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Guava's suite of what the JDK promises of concurrent navigable maps: the map, its head, tail and
/// sub-maps with either kind of bound, the descending map; also sub-maps of sub-maps, and the sets
/// and collections of them all.
@Tag("slow")
class OrderedMapSuiteTest {
  /// The suite has 33 thousand tests; far fewer would mean that it was not put together right.
  private static final int TEST_COUNT_MIN = 30_000;

  /// More maps than any test of the suite has at a time; each new one takes the space of the
  /// oldest.
  private static final int SPACE_COUNT = 16;

  private final Store store = Store.inMemory();
  private final ArrayDeque<Transaction> transactions = new ArrayDeque<>();
  private int mapCount;

  @AfterEach
  void storeIsSound() {
    transactions.forEach(Transaction::close);
    store.verify().requireSound();
    store.close();
  }

  @Test
  void mapAndViewsDoWhatTheirInterfacesPromise() {
    int testCount =
        requirePasses("map", new Generator(Codec.string(), this::map), CollectionSize.ANY);
    assertThat(testCount).isGreaterThan(TEST_COUNT_MIN);
  }

  /// A codec whose order is not the natural one: views and spliterators must return it.
  @Test
  void mapInAnotherOrderThanTheNaturalOne() {
    Codec<String> backwards =
        Codec.of(OrderedMapSuiteTest::complement, OrderedMapSuiteTest::original);
    requirePasses("backwards map", new Generator(backwards, this::map), CollectionSize.SEVERAL);
  }

  /// What a transaction has written and not committed is in its map as what others committed.
  @Test
  void mapOfATransactionDoesWhatItsInterfacePromises() {
    requirePasses(
        "map of a transaction",
        new Generator(Codec.string(), this::mapOfATransaction),
        CollectionSize.SEVERAL);
  }

  private OrderedMap<String, String> map(Codec<String> keys) {
    OrderedMap<String, String> map =
        store.map("map" + mapCount++ % SPACE_COUNT, keys, Codec.string());
    map.clear();
    return map;
  }

  private OrderedMap<String, String> mapOfATransaction(Codec<String> keys) {
    if (transactions.size() == SPACE_COUNT) {
      transactions.remove().close();
    }
    Transaction transaction = store.begin();
    transactions.add(transaction);
    return transaction.open(Table.of("table", keys, Codec.string()));
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

  private static int requirePasses(String name, Generator generator, CollectionSize size) {
    var suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(generator)
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

  private static final class Generator extends TestStringSortedMapGenerator {
    private final Codec<String> keys;
    private final Function<Codec<String>, OrderedMap<String, String>> maker;
    private final Comparator<? super String> order;

    Generator(Codec<String> keys, Function<Codec<String>, OrderedMap<String, String>> maker) {
      this.keys = keys;
      this.maker = maker;
      this.order = Objects.requireNonNull(keys.comparator());
    }

    @Override
    protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
      OrderedMap<String, String> map = maker.apply(keys);
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
