package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.Table;
import io.varve.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Streams of a transaction that changes what they read.
class StreamInTransactionTest {
  private static final Attribute<Integer, Integer> AGE =
      Attribute.of("age", Integer.class, age -> age);
  private static final QueryTable<Long, Integer> AGES =
      QueryTable.of(
              Table.of("ages", Codec.int64(), Codec.int32()),
              Entity.of("Age", Integer.class, List.<Attribute<Integer, ?>>of(AGE)))
          .index("age");

  private final Store store = Store.inMemory();
  private Queryable<Long, Integer> ages;

  @BeforeEach
  void fill() {
    ages = AGES.open(store);
    IntStream.range(0, 5).forEach(age -> ages.map().put((long) age, age));
  }

  @AfterEach
  void close() {
    ages.indexes()
        .list()
        .forEach(index -> assertThat(ages.indexes().verify(index.name())).isEmpty());
    store.close();
  }

  /// What a stream gives while each row changes the table.
  private List<Integer> streamed(
      Transaction transaction,
      Condition<Integer> where,
      BiConsumer<OrderedMap<Long, Integer>, Map.Entry<Long, Integer>> change) {
    Queryable<Long, Integer> in = ages.in(transaction);
    List<Integer> given = new ArrayList<>();
    try (Stream<Map.Entry<Long, Integer>> stream = in.where(where).using("age").entries()) {
      stream.forEach(entry -> {
        given.add(entry.getValue());
        change.accept(in.map(), entry);
      });
    }
    return given;
  }

  private static void grow(OrderedMap<Long, Integer> map, Map.Entry<Long, Integer> entry) {
    map.put(entry.getKey(), entry.getValue() + 1);
  }

  @Test
  void aRowThatIsMovedInTheIndexIsGivenOnce() {
    List<Condition<Integer>> conditions =
        List.of(
            AGE.between(0, 40),
            AGE.in(0, 1, 2, 3, 4, 5, 6),
            AGE.between(0, 1).or(AGE.between(2, 40)));
    for (Condition<Integer> condition : conditions) {
      for (boolean hasWritten : List.of(false, true)) {
        try (Transaction transaction = store.begin()) {
          if (hasWritten) {
            ages.in(transaction).map().put(9L, 90);
          }
          assertThat(streamed(transaction, condition, StreamInTransactionTest::grow))
              .as("%s, %s", condition, hasWritten)
              .containsExactlyInAnyOrder(0, 1, 2, 3, 4);
          assertThat(ages.in(transaction).where(AGE.between(1, 5)).list())
              .containsExactlyInAnyOrder(1, 2, 3, 4, 5);
        }
      }
    }
  }

  @Test
  void aRowThatIsRemovedBeforeItIsReachedIsLeftOut() {
    for (boolean hasWritten : List.of(false, true)) {
      try (Transaction transaction = store.begin()) {
        if (hasWritten) {
          ages.in(transaction).map().put(9L, 90);
        }
        assertThat(
                streamed(
                    transaction,
                    AGE.between(2, 4),
                    (map, _) -> {
                      map.remove(3L);
                      map.remove(4L);
                    }))
            .containsExactly(2);
      }
    }
  }

  @Test
  void aTextQueryGivesEachRowOnceToo() {
    Queries queries = Queries.of(store).table(ages);
    store.transact(tx -> {
      OrderedMap<Long, Integer> map = ages.in(tx).map();
      map.put(9L, 90);
      List<Object> given = new ArrayList<>();
      try (Stream<Row> rows =
          queries.query("select age from ages where age between 2 and 40").in(tx).stream()) {
        rows.forEach(row -> {
          given.add(row.get("age"));
          map.remove(3L);
          map.put(4L, 5);
        });
      }
      assertThat(given).startsWith(2).doesNotContain(5);
    });
  }
}
