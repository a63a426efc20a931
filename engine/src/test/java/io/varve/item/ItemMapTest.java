package io.varve.item;

import static io.varve.GuavaSuite.requirePasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.features.SetFeature;
import com.google.common.collect.testing.testers.MapEntrySetTester;
import io.varve.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Maps and sets over items: what the JDK promises of them, by Guava's suites, and what is
/// particular to items.
class ItemMapTest {
  private static final Attribute TAG = new Attribute(1, "Tag");

  private final Store store = Store.inMemory();
  private final ItemSpace items = store.items("items");
  private long collections;

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void mapDoesWhatItsInterfacesPromise() {
    TestSuite suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(
                new TestStringSortedMapGenerator() {
                  @Override
                  protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                    ConcurrentNavigableMap<String, String> map = newMap();
                    for (Map.Entry<String, String> entry : entries) {
                      map.put(entry.getKey(), entry.getValue());
                    }
                    return map;
                  }
                })
            .named("items")
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                CollectionSize.SEVERAL)
            .suppressing(
                // Entries do not change, like those of ConcurrentSkipListMap.
                MapEntrySetTester.getSetValueMethod(),
                MapEntrySetTester.getSetValueWithNullValuesAbsentMethod())
            .createTestSuite();
    assertThat(requirePasses(suite)).isGreaterThan(10_000);
  }

  @Test
  void setDoesWhatItsInterfacesPromise() {
    TestSuite suite =
        NavigableSetTestSuiteBuilder.using(
                new TestStringSortedSetGenerator() {
                  @Override
                  protected SortedSet<String> create(String[] elements) {
                    NavigableSet<String> set = items.set(nextPrefix(), ItemCodec.string());
                    Collections.addAll(set, elements);
                    return set;
                  }
                })
            .named("items")
            .withFeatures(
                SetFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                CollectionSize.ANY)
            .createTestSuite();
    assertThat(requirePasses(suite)).isGreaterThan(1500);
  }

  private ConcurrentNavigableMap<String, String> newMap() {
    return items.map(nextPrefix(), ItemCodec.string(), ItemCodec.string());
  }

  /// Next to all others, which are not to be seen.
  private Item nextPrefix() {
    items.insert(Item.of("before"));
    if (++collections % 64 == 0) {
      items.rollback(); // else the store would hold them all
    }
    return Item.of("collection", collections);
  }

  /// Keys of several components, values of several, and a map of sets below the same prefix.
  @Test
  void keysAreCompositeAndViewsNest() {
    Item prefix = Item.of("orders");
    ConcurrentNavigableMap<Item, Item> orders =
        items.map(prefix, ItemCodec.items(2), ItemCodec.items());
    orders.put(Item.of("de", 1L), Item.of(2.5, "boat"));
    orders.put(Item.of("de", 2L), Item.empty());
    orders.put(Item.of("fr", 1L), Item.of(true));
    assertThat(orders.subMap(Item.of("de", 0L), Item.of("de", 9L)))
        .containsOnlyKeys(Item.of("de", 1L), Item.of("de", 2L));
    assertThat(items.scan(prefix)).contains(Item.of("orders", "de", 1L, 2.5, "boat"));
    assertThatThrownBy(() -> orders.put(Item.of("de"), Item.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    ConcurrentNavigableMap<Long, Item> german =
        items.map(Item.of("orders", "de"), ItemCodec.int64(), ItemCodec.items());
    assertThat(german.lastEntry()).isEqualTo(Map.entry(2L, Item.empty()));
    NavigableSet<String> tags = items.set(Item.of("x", TAG), ItemCodec.string());
    tags.add("b");
    tags.add("a");
    assertThat(items.scan(Item.of("x")))
        .containsExactly(Item.of("x", TAG, "a"), Item.of("x", TAG, "b"));
    items.commit();
    german.clear();
    assertThat(orders).containsOnlyKeys(Item.of("fr", 1L));
    items.rollback();
    assertThat(orders).hasSize(3);
  }

  /// A key that several items have is one entry, with the first of the values.
  @Test
  void ofSeveralValuesTheFirstCounts() {
    for (long key = 0; key < 3; key++) {
      for (long value = 0; value < 3; value++) {
        items.insert(Item.of("multi", key, value));
      }
    }
    ConcurrentNavigableMap<Long, Long> map =
        items.map(Item.of("multi"), ItemCodec.int64(), ItemCodec.int64());
    assertThat(map).containsExactly(Map.entry(0L, 0L), Map.entry(1L, 0L), Map.entry(2L, 0L));
    assertThat(map.descendingMap().keySet()).containsExactly(2L, 1L, 0L);
    assertThat(map.headMap(1L, true)).hasSize(2);
    assertThat(map.tailMap(1L, false)).containsOnlyKeys(2L);
    assertThat(map.lowerKey(1L)).isEqualTo(0L);
    map.put(1L, 7L);
    assertThat(items.scan(Item.of("multi", 1L))).containsExactly(Item.of("multi", 1L, 7L));
    map.remove(2L);
    assertThat(items.count(Item.of("multi", 2L))).isZero();
  }

  @Test
  void mergeIsAtomic() throws Exception {
    ConcurrentNavigableMap<String, Long> map =
        items.map(Item.of("count"), ItemCodec.string(), ItemCodec.int64());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> LongStream.range(0, 500).forEach(_ -> map.merge("k", 1L, Long::sum))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(map).containsExactly(Map.entry("k", 2000L));
  }
}
