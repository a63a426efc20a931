package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Guards against plans that take a page from the disk for one in memory: an index that leads to
/// many rows on pages of their own was read alone, where a second index would have left most out.
class ColdPlansTest {
  private static final int ROWS = 40_000;

  record Item(int number, int group, int weight, String text) {
    static Item of(int number) {
      return new Item(number, number * 31 % 20, number * 7919 % ROWS, "t".repeat(150));
    }
  }

  private static final Attribute<Item, Integer> GROUP =
      Attribute.of("group", Integer.class, Item::group);
  private static final Attribute<Item, Integer> WEIGHT =
      Attribute.of("weight", Integer.class, Item::weight);

  private static final Table<Long, Item> TABLE =
      Table.of("items", Codec.int64(), Codec.record(Item.class));

  private static final Condition<Item> BOTH = GROUP.eq(3).and(WEIGHT.lt(ROWS * 3 / 10));

  @TempDir Path directory;

  private Store open() {
    return Store.open(directory, StoreOptions.defaults().cacheBytes(64 << 20));
  }

  private static Queryable<Long, Item> items(Store store) {
    return QueryTable.of(TABLE, Entity.of(Item.class)).index("group").index("weight").open(store);
  }

  private static String chosen(Queryable<Long, Item> items) {
    return items.where(BOTH).explain().lines().limit(3).collect(Collectors.joining("\n"));
  }

  private static Set<Integer> found(Queryable<Long, Item> items) {
    return items.where(BOTH).list().stream()
        .map(Item::number)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aSecondIndexIsReadWhereRowsAreNotInMemory() {
    try (Store store = open()) {
      store.transact(tx -> {
        for (int number = 0; number < ROWS; number++) {
          tx.open(TABLE).put((long) number, Item.of(number));
        }
      });
      items(store);
    }
    try (Store store = open()) {
      Queryable<Long, Item> items = items(store);
      assertThat(chosen(items)).contains("intersection");
      Set<Integer> expected =
          items.where(BOTH).using("").list().stream()
              .map(Item::number)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(found(items)).isEqualTo(expected).isNotEmpty();
      readAll(items);
      assertThat(chosen(items)).contains("index group").doesNotContain("intersection");
      assertThat(found(items)).isEqualTo(expected);
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  /// Reads the rows, and each index by an answer that its entries have.
  private static void readAll(Queryable<Long, Item> items) {
    assertThat(items.map().values().stream().toList()).hasSize(ROWS);
    for (Attribute<Item, Integer> each : List.of(GROUP, WEIGHT)) {
      try (var keys = items.where(each.ge(0)).using(each.path()).keys()) {
        assertThat(keys.count()).isEqualTo(ROWS);
      }
    }
  }
}
