package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.CITY;
import static io.varve.query.Sample.NUMBER;
import static io.varve.query.Sample.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Snapshot;
import io.varve.Store;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rows that a unique index finds without a plan and a snapshot are those that a plan finds.
class PointReadsTest {
  private static final int ROWS = 200;
  private static final QueryTable<Long, Sample> SAMPLES =
      QueryTable.of(Sample.TABLE, Sample.ENTITY);

  private final Store store = Store.inMemory();
  private Queryable<Long, Sample> samples;

  @BeforeEach
  void fill() {
    samples = SAMPLES.uniqueIndex("number").uniqueIndex("city", "text", "number").open(store);
    store.transact(tx -> {
      for (long key = 0; key < ROWS; key++) {
        samples.in(tx).map().put(key, Sample.of(key));
      }
    });
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void assertSame(Found<Long, Sample> found) {
    List<Sample> expected = found.using("").list();
    assertThat(found.list()).isEqualTo(expected);
    assertThat(found.stream().toList()).isEqualTo(expected);
    assertThat(found.first()).isEqualTo(expected.stream().findFirst());
    assertThat(found.exists()).isEqualTo(!expected.isEmpty());
    assertThat(found.keys().toList()).hasSameSizeAs(expected);
  }

  @Test
  void theWholeConditionAndThePartThatIsAskedForDecide() {
    for (long number = -1; number < ROWS + 1; number++) {
      Condition<Sample> equal = NUMBER.eq(number);
      assertSame(samples.where(equal));
      assertSame(samples.where(equal.and(AGE.lt(20))));
      assertSame(samples.where(equal.and(NUMBER.eq(number + 1))));
      assertSame(samples.where(equal).orderBy(AGE.desc()).limit(1));
      assertSame(samples.where(equal).limit(0));
      assertSame(samples.where(equal).offset(1));
    }
    assertThat(samples.where(NUMBER.eq(7L)).explain()).contains("index number");
  }

  /// Values that the index has cut are distinguished by the row.
  @Test
  void allPartsOfAnIndexAreAskedFor() {
    for (long key = 0; key < ROWS; key++) {
      Sample row = Sample.of(key);
      if (row.city() != null) {
        String city = Objects.requireNonNull(row.city());
        assertSame(samples.where(CITY.eq(city).and(TEXT.eq(row.text())).and(NUMBER.eq(key))));
        assertSame(
            samples.where(CITY.eq(city).and(TEXT.eq(Sample.longText(30))).and(NUMBER.eq(key))));
      }
    }
  }

  @Test
  void textsFindTheSameRows() {
    Queries queries = Queries.of(store).table(samples);
    Query query = queries.query("select number, age from sample where number = :n limit :l");
    for (long number = 0; number < ROWS + 1; number++) {
      List<Row> expected =
          samples.where(NUMBER.eq(number)).using("").list().stream()
              .map(row -> new Row(List.of("number", "age"), new Object[] {row.number(), row.age()}))
              .toList();
      Query bound = query.set("n", number);
      assertThat(bound.set("l", 1).list()).isEqualTo(expected);
      assertThat(bound.set("l", 0).list()).isEmpty();
    }
    assertThat(queries.query("from sample where number = 3.0").list()).hasSize(1);
    assertThat(queries.query("select distinct age from sample where number = 3").list()).hasSize(1);
    assertThat(queries.query("select count(*) from sample where number = 3").list()).hasSize(1);
    assertThat(queries.query("from sample where number = 3 and number = 4").list()).isEmpty();
  }

  @Test
  void aSnapshotHasWhatItHad() {
    try (Snapshot snapshot = store.snapshot()) {
      samples.map().remove(3L);
      assertThat(samples.where(NUMBER.eq(3L)).list()).isEmpty();
      assertThat(samples.in(snapshot).where(NUMBER.eq(3L)).list()).containsExactly(Sample.of(3));
    }
  }

  @Test
  void anIndexThatIsDroppedOrMadeAgainIsNotRead() {
    assertSame(samples.where(NUMBER.eq(3L)));
    assertThat(samples.indexes().drop("number")).isTrue();
    assertSame(samples.where(NUMBER.eq(3L)));
    Attribute<Sample, Long> other = Attribute.of("number", Long.class, row -> row.number() + 1);
    SAMPLES.index(QueryIndex.of(other).unique().named("number").version(2)).open(store);
    assertSame(samples.where(NUMBER.eq(3L)));
    Queryable<Long, Sample> again = SAMPLES.uniqueIndex("number").open(store);
    assertThat(again.where(NUMBER.eq(3L)).list()).containsExactly(Sample.of(3));
  }

  /// The index names one row, and before it is read the value is that of another one.
  @Test
  void aValueThatMovesFromRowToRowIsAlwaysFoundOnce()
      throws ExecutionException, InterruptedException {
    samples.map().put(1L, Sample.of(1));
    samples.map().remove(2L);
    try (ExecutorService writers = Executors.newSingleThreadExecutor()) {
      Future<?> moves =
          writers.submit(() -> {
            for (int move = 0; move < 3000; move++) {
              long from = 1 + move % 2;
              store.transact(tx -> {
                samples.in(tx).map().remove(from);
                samples.in(tx).map().put(3 - from, Sample.of(1));
              });
            }
          });
      do {
        List<Map.Entry<Long, Sample>> found = samples.where(NUMBER.eq(1L)).entries().toList();
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().getKey()).isIn(1L, 2L);
        assertThat(found.getFirst().getValue()).isEqualTo(Sample.of(1));
      } while (!moves.isDone());
      moves.get();
    }
  }
}
