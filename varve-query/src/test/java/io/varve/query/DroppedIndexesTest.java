package io.varve.query;

import static io.varve.query.Sample.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ConflictException;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Transaction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Answers stay right when an index is dropped, or another one gets its name, while a table that
/// knows the first one is open.
class DroppedIndexesTest {
  private static final int ROWS = 3000;
  private static final Attribute<Sample, String> FIRST =
      Attribute.of("code", String.class, row -> "a" + row.age());
  private static final Attribute<Sample, String> SECOND =
      Attribute.of("code", String.class, row -> "b" + row.age());
  private static final QueryTable<Long, Sample> TABLE = QueryTable.of(Sample.TABLE, Sample.ENTITY);

  private final Store store = Store.inMemory();
  private Queryable<Long, Sample> samples;
  private List<Sample> expected;

  @BeforeEach
  void fill() {
    samples = TABLE.index(QueryIndex.of(FIRST)).open(store);
    store.transact(tx -> {
      for (long key = 0; key < ROWS; key++) {
        samples.in(tx).map().put(key, Sample.of(key));
      }
    });
    expected = sevens().using("").list();
    assertThat(expected).hasSizeGreaterThan(10);
    assertThat(sevens().explain()).contains("index code");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Found<Long, Sample> sevens() {
    return samples.where(FIRST.eq("a7"));
  }

  private static Found<Long, Sample> sevens(Queryable<Long, Sample> table) {
    return table.where(FIRST.eq("a7"));
  }

  private void drop() {
    assertThat(samples.indexes().drop("code")).isTrue();
  }

  /// Another program's definition, of which this one knows nothing.
  private void remake() {
    TABLE.index(QueryIndex.of(SECOND, NUMBER).named("code").version(2)).open(store);
  }

  private void assertRight(Queryable<Long, Sample> table) {
    assertThat(sevens(table).list()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(sevens(table).count()).isEqualTo(expected.size());
    assertThat(sevens(table).orderBy(FIRST.asc()).limit(5).page().entries()).hasSize(5);
  }

  @Test
  void anotherIndexOfTheNameIsNotReadAsTheFirst() {
    remake();
    assertRight(samples);
    assertThat(sevens().explain()).doesNotContain("index code");
  }

  /// The program that made it uses it further, by the name that it gives it.
  @Test
  void anIndexThatIsRenamedIsStillRead() {
    assertThat(samples.indexes().rename("code", "by code")).isTrue();
    assertRight(samples);
    assertThat(sevens().explain()).contains("index code");
    assertThat(sevens().using("code").explain()).contains("index code");
    Queryable<Long, Sample> again = TABLE.index(QueryIndex.of(FIRST)).open(store);
    assertRight(again);
    assertThat(again.indexes().list())
        .singleElement()
        .satisfies(index -> assertThat(index.name()).isEqualTo("by code"));
    again.map().put(0L, Sample.of(1));
    assertThat(again.indexes().verify("by code")).isEmpty();
    store.verify().requireSound();
  }

  @Test
  void snapshotsFromBeforeAndAfterAreAnswered() {
    try (Snapshot before = store.snapshot()) {
      assertRight(samples.in(before));
      remake();
      assertRight(samples.in(before));
      try (Snapshot after = store.snapshot()) {
        assertRight(samples.in(after));
      }
    }
  }

  @Test
  void theSameIndexMadeAgainIsReadBySnapshotsFromThenOn() {
    try (Snapshot before = store.snapshot()) {
      drop();
      Queryable<Long, Sample> again = TABLE.index(QueryIndex.of(FIRST)).open(store);
      assertRight(samples.in(before));
      assertRight(again.in(before));
      assertThat(sevens(again.in(before)).explain()).doesNotContain("index code");
      assertRight(samples);
      assertThat(sevens().explain()).contains("index code");
    }
  }

  @Test
  void aTransactionIsAnsweredAndConflictsIfItReadTheIndex() {
    try (Transaction tx = store.begin()) {
      assertRight(samples.in(tx));
      remake();
      assertRight(samples.in(tx));
      samples.in(tx).map().put(0L, Sample.of(ROWS));
      assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
    }
    store.transact(tx -> {
      assertRight(samples.in(tx));
      samples.in(tx).map().remove(0L);
    });
  }

  /// A stream is planned when it is made, and read when it is asked.
  @Test
  void whatIsDroppedBetweenPlanAndReadingIsPlannedAgain() {
    for (Runnable change : List.<Runnable>of(this::drop, this::remake)) {
      try (Stream<Sample> planned = sevens().stream()) {
        change.run();
        assertThat(planned).containsExactlyInAnyOrderElementsOf(expected);
      }
      samples = TABLE.index(QueryIndex.of(FIRST)).open(store);
    }
  }

  /// The condition of a row drops the index that found it, before its next range is opened.
  @Test
  void whatIsDroppedWhileItIsReadGivesAWholeAnswerOrNone() {
    assertThat(droppingAt(100).list()).hasSize((int) several().using("").count());
    samples = TABLE.index(QueryIndex.of(FIRST)).open(store);
    Found<Long, Sample> dropping = droppingAt(100);
    long all = several().using("").count();
    Supplier<Long> read =
        () -> {
          try (Stream<Sample> rows = dropping.stream()) {
            List<Sample> found = new ArrayList<>();
            for (Iterator<Sample> row = rows.iterator(); row.hasNext(); ) {
              found.add(row.next());
            }
            return (long) found.size();
          }
        };
    assertThatThrownBy(read::get)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("an index was dropped")
        .hasMessageContaining("ask again");
    assertThat(read.get()).isEqualTo(all);
  }

  private Found<Long, Sample> several() {
    return samples.where(FIRST.in("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"));
  }

  private Found<Long, Sample> droppingAt(int row) {
    int[] asked = {0};
    Attribute<Sample, Boolean> trap =
        Attribute.of(
            "trap",
            Boolean.class,
            sample -> {
              if (++asked[0] == row) {
                drop();
              }
              return true;
            });
    return several().where(trap.eq(true)).using("code");
  }

  /// No caller has seen a row yet, so all of these ask again.
  @Test
  void queriesAsTextGiveAWholeAnswer() {
    int[] asked = {0};
    Attribute<Sample, Boolean> trap =
        Attribute.of(
            "trap",
            Boolean.class,
            sample -> {
              if (++asked[0] == 100) {
                drop();
              }
              return true;
            });
    Entity<Sample> entity =
        Entity.of("sample", Sample.class, List.of(FIRST, Sample.NUMBER, Sample.AGE, trap));
    String where = "where code in ('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7') and trap = true";
    long all = samples.where(FIRST.in("a1", "a2", "a3", "a4", "a5", "a6", "a7")).count();
    List<Function<Queries, Object>> whole =
        List.of(
            queries -> (long) queries.query("from samples " + where).list().size(),
            queries -> (long) queries.query("from samples " + where).list(Sample.class).size(),
            queries ->
                queries
                    .query("select count(age) + count(*) - count(age) from samples " + where)
                    .first(Long.class)
                    .orElseThrow(),
            queries -> queries.query("delete from samples " + where).update());
    for (Function<Queries, Object> asking : whole) {
      Queryable<Long, Sample> table =
          QueryTable.of(Sample.TABLE, entity).index(QueryIndex.of(FIRST)).open(store);
      asked[0] = 0;
      assertThat(asking.apply(Queries.of(store).table(table))).isEqualTo(all);
      assertThat(asked[0]).isGreaterThan(100 + (int) all);
      assertThat(samples.indexes().list()).isEmpty();
    }
  }

  @Test
  void liveQueriesStartWithAWholeAnswer() {
    long all = several().using("").count();
    try (LiveQuery<Long, Sample> live = droppingAt(100).live()) {
      assertThat(live.start().entries()).hasSize((int) all);
    }
    samples = TABLE.index(QueryIndex.of(FIRST)).open(store);
    try (LiveQuery<Long, Sample> live = droppingAt(100).limit(300).live()) {
      assertThat(live.start().entries()).hasSize(300);
    }
  }
}
