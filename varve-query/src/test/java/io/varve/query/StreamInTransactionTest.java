package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.ConflictException;
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

  /// What was written before the stream, and in the loop over it, is given alike by all plans.
  @Test
  void aRowThatIsChangedIsGivenAsItIsThenByEachPlan() {
    for (String index : List.of("age", "")) {
      for (boolean hasWritten : List.of(false, true)) {
        for (boolean isSorted : List.of(false, true)) {
          try (Transaction transaction = store.begin()) {
            Queryable<Long, Integer> in = ages.in(transaction);
            if (hasWritten) {
              in.map().put(9L, 30);
            }
            List<Integer> given = new ArrayList<>();
            Found<Long, Integer> found =
                in.where(AGE.between(2, 40).and(AGE.ne(3).or(AGE.gt(1)))).using(index);
            try (Stream<Map.Entry<Long, Integer>> stream =
                (isSorted ? found.orderBy(AGE.asc()) : found).limit(4).entries()) {
              stream.forEach(entry -> {
                given.add(entry.getValue());
                in.map().put(1L, 20);
                in.map().remove(3L);
                in.map().put(4L, 77);
                in.map().remove(9L);
                in.map().put(9L, 31);
              });
            }
            assertThat(given)
                .as("using %s, %s, %s", index, hasWritten, isSorted)
                .isEqualTo(hasWritten ? List.of(2, 77, 31) : List.of(2, 77));
          }
        }
      }
    }
  }

  @Test
  void keysLeaveOutARowThatIsRemovedByEachPlan() {
    for (String index : List.of("age", "")) {
      for (Condition<Integer> condition :
          List.of(AGE.between(2, 40), AGE.between(0, 1).not(), AGE.in(2, 3, 4))) {
        try (Transaction transaction = store.begin()) {
          Queryable<Long, Integer> in = ages.in(transaction);
          in.map().put(9L, 90);
          in.map().remove(9L);
          List<Long> given = new ArrayList<>();
          try (Stream<Long> keys = in.where(condition).using(index).keys()) {
            keys.forEach(key -> {
              given.add(key);
              in.map().remove(3L);
              in.map().put(4L, 0);
            });
          }
          assertThat(given).as("using %s, %s", index, condition).containsExactly(2L, 4L);
        }
      }
    }
  }

  /// The entries of an index have all that is selected.
  @Test
  void anIndexThatHasAllThatIsAskedGivesPresentValuesToo() {
    Queries queries = Queries.of(store).table(ages);
    for (boolean isCovered : List.of(false, true)) {
      try (Transaction transaction = store.begin()) {
        OrderedMap<Long, Integer> map = ages.in(transaction).map();
        map.put(9L, 90);
        List<Object> given = new ArrayList<>();
        String condition = isCovered ? "age between 2 and 40" : "age + 0 between 2 and 40";
        try (Stream<Row> rows =
            queries.query("select age from ages where " + condition).in(transaction).stream()) {
          rows.forEach(row -> {
            given.add(row.get("age"));
            map.remove(3L);
            map.put(4L, 77);
          });
        }
        assertThat(given).as(condition).containsExactly(2, 77);
      }
    }
  }

  /// A range of an index counts for conflicts when the stream comes to it.
  @Test
  void aRangeThatIsNotReachedIsNotReadInATransaction() {
    try (Transaction transaction = store.begin()) {
      Queryable<Long, Integer> in = ages.in(transaction);
      in.map().put(9L, 90);
      assertThat(in.where(AGE.in(0, 2, 4)).orderBy(AGE.asc()).using("age").first()).contains(0);
      ages.map().put(4L, 40);
      transaction.commit();
    }
    try (Transaction transaction = store.begin()) {
      Queryable<Long, Integer> in = ages.in(transaction);
      in.map().put(9L, 91);
      assertThat(in.where(AGE.in(0, 2, 40)).orderBy(AGE.asc()).using("age").list()).hasSize(3);
      ages.map().put(4L, 4);
      assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
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
      assertThat(given).containsExactly(2, 5);
    });
  }
}
