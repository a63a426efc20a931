package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Table;
import io.varve.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows that an index finds are read in the order of their keys, unless the answer has that of the
/// index. So those of one leaf follow each other.
class RowsByKeyTest {
  private static final int ROWS = 4_000;

  /// Rows are read in batches that grow: the fewest keys that most of them have in common.
  private static final int SMALL_BATCHES = 300;

  private static final String BY_KEY = "read in the order of their keys";

  /// The weights of neighbours are far from each other.
  record Item(int number, int weight, String name) {
    static Item of(int number) {
      return new Item(number, number * 7919 % ROWS, "Name " + number % 3);
    }
  }

  private static final Attribute<Item, Integer> WEIGHT =
      Attribute.of("weight", Integer.class, Item::weight);
  private static final Attribute<Item, String> NAME =
      Attribute.of("name", String.class, Item::name);

  private static final Table<Long, Item> TABLE =
      Table.of("items", Codec.int64(), Codec.record(Item.class));

  private static final Table<String, Item> NAMED =
      Table.of("named", Codec.string(), Codec.record(Item.class));

  private final Store store = Store.inMemory();
  private Queryable<Long, Item> items;

  @BeforeEach
  void fill() {
    items = QueryTable.of(TABLE, Entity.of(Item.class)).index("weight").open(store);
    store.transact(tx -> {
      for (int number = 0; number < ROWS; number++) {
        tx.open(TABLE).put((long) number, Item.of(number));
      }
    });
  }

  @AfterEach
  void close() {
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  private Found<Long, Item> light() {
    return items.where(WEIGHT.lt(ROWS / 2)).using("weight");
  }

  private static List<Long> lightKeys() {
    return LongStream.range(0, ROWS)
        .filter(number -> Item.of((int) number).weight() < ROWS / 2)
        .boxed()
        .toList();
  }

  /// How many keys of a list are less than the one before.
  private static long steps(List<Long> keys) {
    return LongStream.range(1, keys.size())
        .filter(at -> keys.get((int) at) < keys.get((int) at - 1))
        .count();
  }

  @Test
  void aRangeIsReadInTheOrderOfTheKeys() {
    assertThat(light().explain()).contains(BY_KEY);
    try (Stream<Long> keys = light().entries().map(entry -> entry.getKey())) {
      List<Long> found = keys.toList();
      assertThat(found).containsExactlyInAnyOrderElementsOf(lightKeys());
      assertThat(steps(found)).isLessThan(4);
      assertThat(steps(found.subList(SMALL_BATCHES, found.size()))).isZero();
    }
  }

  /// (KEYBATCH-1)
  @Test
  void aLimitReadsNoEntryThatItLeavesOut() {
    Found<Long, Item> ten = light().limit(10);
    assertThat(ten.explain()).contains(BY_KEY);
    assertThat(ten.list()).hasSize(10).allMatch(item -> item.weight() < ROWS / 2);
    assertThat(ten.profile()).contains("index entries=10,");
    assertThat(light().offset(5).limit(10).profile()).contains("index entries=15,");
    assertThat(light().where(NAME.eq("Name 1")).limit(10).list()).hasSize(10);
  }

  /// (KEYBATCH-3) A range needs no sort. It failed within its rows where no file could be made.
  @Test
  void aRangeNeedsNoFile(@TempDir Path directory) {
    for (Path files : List.of(directory, directory.resolve("gone"))) {
      try (Store other = Store.inMemory()) {
        assertAllRead(
            QueryTable.of(NAMED, Entity.of(Item.class))
                .index("weight")
                .sortingWithin(1 << 16, files)
                .open(other),
            other);
      }
    }
  }

  private static void assertAllRead(Queryable<String, Item> named, Store store) {
    store.transact(tx -> {
      for (int number = 0; number < ROWS; number++) {
        String format = number % 1_000 == 7 ? "row %d" : "%08d";
        String key = String.format(Locale.ROOT, format, number);
        tx.open(NAMED).put(key, Item.of(number));
      }
    });
    Found<String, Item> found = named.where(WEIGHT.ge(0)).using("weight");
    assertThat(found.explain()).contains(BY_KEY);
    try (Stream<String> keys = found.entries().map(entry -> entry.getKey())) {
      assertThat(keys.toList()).containsExactlyInAnyOrderElementsOf(named.map().keySet());
    }
  }

  @Test
  void anAnswerInTheOrderOfTheIndexKeepsIt() {
    Found<Long, Item> ordered = light().orderBy(WEIGHT.desc());
    assertThat(ordered.explain()).doesNotContain(BY_KEY);
    assertThat(ordered.list())
        .isSortedAccordingTo(Comparator.comparingInt(Item::weight).reversed())
        .hasSize(ROWS / 2);
  }

  @Test
  void sortsAndCountsReadInTheOrderOfTheKeys() {
    Found<Long, Item> sorted = light().orderBy(NAME.asc(), WEIGHT.asc());
    assertThat(sorted.explain()).contains(BY_KEY);
    assertThat(sorted.list())
        .isSortedAccordingTo(Comparator.comparing(Item::name).thenComparing(Item::weight))
        .hasSize(ROWS / 2);
    assertThat(light().where(NAME.eq("Name 1")).count())
        .isEqualTo(lightKeys().stream().filter(number -> number % 3 == 1).count());
  }

  @Test
  void aSnapshotIsReadAsItWas() {
    try (Snapshot snapshot = store.snapshot()) {
      for (long key = 0; key < ROWS; key += 2) {
        items.map().remove(key);
      }
      List<Item> found = items.in(snapshot).where(WEIGHT.lt(ROWS / 2)).using("weight").list();
      assertThat(found).hasSize(ROWS / 2);
    }
  }

  /// What a loop over a stream has not come to is no read, and so no conflict.
  @Test
  void aStreamOfATransactionReadsOneRowAtATime() {
    try (Transaction transaction = store.begin()) {
      Found<Long, Item> found = items.in(transaction).where(WEIGHT.lt(ROWS / 2)).using("weight");
      assertThat(found.explain()).doesNotContain(BY_KEY);
      List<Integer> weights = new ArrayList<>();
      try (Stream<Item> stream = found.stream()) {
        stream.limit(20).forEach(item -> weights.add(item.weight()));
      }
      assertThat(weights).isSorted().hasSize(20);
      Found<Long, Item> sorted = found.orderBy(NAME.asc());
      assertThat(sorted.explain()).contains(BY_KEY);
      assertThat(sorted.list()).hasSize(ROWS / 2);
    }
  }
}
