package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.CITY;
import static io.varve.query.Sample.NUMBER;
import static io.varve.query.Sample.SCORE;
import static io.varve.query.Sample.TAGS;
import static io.varve.query.Sample.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ConflictException;
import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Transaction;
import io.varve.UniqueIndexException;
import io.varve.query.internal.expr.Comparison;
import io.varve.query.internal.expr.Expression;
import io.varve.query.internal.expr.Function;
import io.varve.query.internal.expr.Predicate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.text.Collator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Queries of tables: where they read, what they refuse, how they are paged and explained.
class QueryableTest {
  private static final QueryTable<Long, Sample> SAMPLES =
      QueryTable.of(Sample.TABLE, Sample.ENTITY)
          .index("city", "age")
          .index("age")
          .index("tags")
          .uniqueIndex("number");

  private static Queryable<Long, Sample> filled(Store store, QueryTable<Long, Sample> table) {
    Queryable<Long, Sample> samples = table.open(store);
    store.transact(tx -> {
      for (long key = 0; key < 500; key++) {
        samples.in(tx).map().put(key, Sample.of(key));
      }
    });
    return samples;
  }

  @Test
  void aTransactionSeesItsChangesAndNobodyElseDoes() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Condition<Sample> bonn = CITY.eq("Bonn");
      long before = samples.where(bonn).count();
      try (Transaction tx = store.begin()) {
        Queryable<Long, Sample> inside = samples.in(tx);
        assertThat(inside.where(bonn).delete()).isEqualTo(before);
        assertThat(inside.where(bonn).list()).isEmpty();
        assertThat(inside.where(bonn).count()).isZero();
        Sample other = Sample.of(1000);
        inside.map().put(1000L, other);
        assertThat(inside.where(NUMBER.eq(1000L)).list()).containsExactly(other);
        assertThat(inside.where(NUMBER.eq(1000L)).explain()).contains("index number");
        assertThat(samples.where(bonn).count()).isEqualTo(before);
        tx.commit();
      }
      assertThat(samples.where(bonn).list()).isEmpty();
      assertThat(samples.where(NUMBER.eq(1000L)).exists()).isTrue();
    }
  }

  /// A row that comes into a range that was read is a conflict, although no row was changed.
  @Test
  void rangesThatWereReadConflictWithNewRows() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Sample newcomer = withCity("Ulm");
      try (Transaction tx = store.begin()) {
        long count = samples.in(tx).where(CITY.eq("Ulm")).count();
        samples.map().put(newcomer.number(), newcomer);
        samples.in(tx).map().put(7000L, Sample.of(7000 + count));
        assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
      }
    }
  }

  /// Queries as text took such a table, and read outside of its transaction: what they had counted
  /// changed, and the commit was no conflict.
  @Test
  void queriesRefuseATableOfATransactionOrASnapshot() {
    try (Store store = Store.inMemory();
        Snapshot snapshot = store.snapshot();
        Transaction tx = store.begin()) {
      Queryable<Long, Sample> samples = SAMPLES.open(store);
      Queries queries = Queries.of(store);
      for (Queryable<Long, Sample> viewed : List.of(samples.in(tx), samples.in(snapshot))) {
        assertThatThrownBy(() -> queries.table(viewed))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("each query its view by Query.in");
      }
      assertThat(queries.table(samples).query("from samples").in(tx).list()).isEmpty();
    }
  }

  /// What a plan counts in other indexes is not read.
  @Test
  void changesOfOtherRangesAreNoConflict() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Sample newcomer = withCity("Ulm");
      try (Transaction tx = store.begin()) {
        Found<Long, Sample> bonn = samples.in(tx).where(CITY.eq("Bonn").and(AGE.ge(39)));
        assertThat(bonn.explain()).contains("index city, age");
        bonn.list();
        samples.map().put(newcomer.number(), newcomer);
        samples.in(tx).map().put(7000L, Sample.of(7000));
        tx.commit();
      }
    }
  }

  private static Sample withCity(String city) {
    return Stream.iterate(5000L, number -> number + 1)
        .map(Sample::of)
        .filter(sample -> city.equals(sample.city()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSnapshotAnswersAsOfItsPoint() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      try (Snapshot snapshot = store.snapshot()) {
        samples.all().delete();
        assertThat(samples.all().count()).isZero();
        assertThat(samples.in(snapshot).where(AGE.le(10)).list())
            .isNotEmpty()
            .allMatch(sample -> sample.age() != null && sample.age() <= 10);
        assertThatThrownBy(() -> samples.in(snapshot).all().delete())
            .isInstanceOf(UnsupportedOperationException.class);
      }
    }
  }

  @Test
  void aUniqueIndexRefusesEqualValues() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      assertThatThrownBy(() -> samples.map().put(900L, Sample.of(3)))
          .isInstanceOfSatisfying(
              UniqueIndexException.class,
              refused -> assertThat(refused.index()).isEqualTo("number"));
      assertThat(samples.map()).doesNotContainKey(900L);
    }
  }

  /// Equal beginnings that an index cuts are no equal values.
  @Test
  void aUniqueIndexDistinguishesLongValues() {
    try (Store store = Store.inMemory()) {
      Attribute<Sample, String> whole =
          Attribute.of("whole", String.class, row -> "x".repeat(2000) + row.number());
      Queryable<Long, Sample> samples =
          QueryTable.of(Sample.TABLE, Sample.ENTITY)
              .index(QueryIndex.of(whole).unique())
              .open(store);
      samples.map().put(1L, Sample.of(1));
      samples.map().put(2L, Sample.of(2));
      assertThat(samples.where(whole.eq("x".repeat(2000) + 2)).list())
          .containsExactly(Sample.of(2));
      assertThatThrownBy(() -> samples.map().put(3L, Sample.of(2)))
          .isInstanceOf(UniqueIndexException.class);
    }
  }

  @Test
  void anotherVersionIsBuiltAgain() {
    try (Store store = Store.inMemory()) {
      Attribute<Sample, String> first = Attribute.of("code", String.class, row -> "a" + row.age());
      Attribute<Sample, String> second = Attribute.of("code", String.class, row -> "b" + row.age());
      QueryTable<Long, Sample> table = QueryTable.of(Sample.TABLE, Sample.ENTITY);
      filled(store, table.index(QueryIndex.of(first)));
      Queryable<Long, Sample> samples = table.index(QueryIndex.of(second).version(2)).open(store);
      Found<Long, Sample> found = samples.where(second.eq("b7"));
      assertThat(found.explain()).contains("index code");
      assertThat(found.list())
          .isNotEmpty()
          .allMatch(sample -> Integer.valueOf(7).equals(sample.age()));
      assertThat(samples.where(first.eq("a7")).list()).isEmpty();
    }
  }

  @Test
  void textsAreFoundWithoutTheirCase() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples =
          filled(
              store,
              QueryTable.of(Sample.TABLE, Sample.ENTITY)
                  .index(QueryIndex.of(CITY).ignoringCase(CITY)));
      Expression lower = new Expression.Call(Function.LOWER, List.of(new Expression.Path(0, CITY)));
      Condition<Sample> bonn =
          new Predicate<>(
              new Expression.Compare(Comparison.EQUAL, lower, new Expression.Literal("bonn")));
      assertThat(samples.where(bonn).explain()).contains("index city");
      assertThat(samples.where(bonn).list())
          .extracting(Sample::city)
          .contains("Bonn", "bonn")
          .hasSize((int) samples.where(bonn).using("").keys().count());
      assertThat(samples.where(CITY.eq("Bonn")).list())
          .extracting(Sample::city)
          .containsOnly("Bonn");
    }
  }

  @Test
  void aCollatorDecidesWhichTextsAreOne() {
    try (Store store = Store.inMemory()) {
      Collator collator = Collator.getInstance(Locale.GERMAN);
      collator.setStrength(Collator.PRIMARY);
      QueryIndex<Sample> byCity =
          QueryIndex.of(CITY).collated(CITY, collator, "de-primary-1").withoutNulls();
      Queryable<Long, Sample> samples =
          filled(store, QueryTable.of(Sample.TABLE, Sample.ENTITY).index(byCity));
      Found<Long, Sample> bonn = samples.where(CITY.eq("bonn"));
      assertThat(bonn.explain()).contains("index city");
      assertThat(bonn.list()).isNotEmpty().extracting(Sample::city).containsOnly("bonn");
    }
  }

  /// Rows that change between pages are seen once or not at all; all others are seen once.
  @Test
  void pagesStayStableUnderChanges() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Set<Long> seen = new HashSet<>();
      Found<Long, Sample> all = samples.all().orderBy(AGE.desc()).limit(20);
      Page<Long, Sample> page = all.page();
      for (long change = 0; page.next() != null; change++) {
        page.entries().forEach(entry -> assertThat(seen.add(entry.getKey())).isTrue());
        samples.map().put(10_000 + change, Sample.of(10_000 + change));
        page = all.after(page.next()).page();
      }
      page.entries().forEach(entry -> assertThat(seen.add(entry.getKey())).isTrue());
      for (long key = 0; key < 500; key++) {
        assertThat(seen).contains(key);
      }
    }
  }

  @Test
  void aPageIsContinuedInItsOrderAlone() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Page<Long, Sample> page = samples.all().orderBy(AGE.asc()).limit(5).page();
      String next = page.next();
      assertThat(next).isNotNull();
      assertThatThrownBy(() -> samples.all().orderBy(SCORE.asc()).after(String.valueOf(next)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> samples.all().after("?"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anOrderWithALimitReadsWhatItGives() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      String profile = samples.where(CITY.eq("Bonn")).orderBy(AGE.desc()).limit(3).profile();
      assertThat(profile)
          .contains("in the order of the path, backwards")
          .contains("index city, age")
          .contains("index entries=3, ");
    }
  }

  /// An intersection reads the keys of both, and the rows that both have.
  @Test
  void twoIndexesAreIntersected() {
    try (Store store = Store.inMemory()) {
      QueryTable<Long, Sample> table =
          QueryTable.of(Sample.TABLE, Sample.ENTITY).index("city").index("age").index("tags");
      Queryable<Long, Sample> samples = filled(store, table);
      Condition<Sample> condition = CITY.eq("Bonn").and(TAGS.contains("red"));
      assertThat(samples.where(condition).explain()).contains("intersection");
      assertThat(samples.where(condition).list())
          .containsExactlyInAnyOrderElementsOf(samples.where(condition).using("").list());
      Condition<Sample> either =
          CITY.eq("Ulm").and(AGE.eq(3)).or(TAGS.contains("red").and(AGE.eq(5)));
      assertThat(samples.where(either).explain()).contains("union");
    }
  }

  @Test
  void keysAreAnIndex() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Expression key = new Expression.KeyPath(0, Long.class);
      Condition<Sample> early =
          new Predicate<>(new Expression.Compare(Comparison.LESS, key, new Expression.Literal(4)));
      assertThat(samples.where(early).explain()).contains("keys: ranges=1, rows=4");
      assertThat(samples.where(early).keys().toList()).containsExactly(0L, 1L, 2L, 3L);
    }
  }

  @Test
  void updatesAndDeletesFindAllBeforeTheyChangeAny() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      long found = samples.where(AGE.ge(20)).count();
      assertThat(samples.where(AGE.ge(20)).update(row -> Sample.of(row.number() + 100_000)))
          .isEqualTo(found);
      assertThat(samples.where(NUMBER.ge(100_000L)).count()).isEqualTo(found);
      assertThat(samples.where(NUMBER.ge(100_000L)).delete()).isEqualTo(found);
      assertThat(samples.all().count()).isEqualTo(500 - found);
      for (QueryIndex<Sample> index : SAMPLES.indexes()) {
        assertThat(samples.indexes().verify(index.name())).isEmpty();
      }
    }
  }

  @Test
  void streamsThatAreLeftEarlyAreClosed() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      try (Stream<Map.Entry<Long, Sample>> entries = samples.where(AGE.ge(1)).entries()) {
        assertThat(entries.findFirst()).isPresent();
      }
      assertThat(samples.where(AGE.eq(7)).first()).isPresent();
      assertThat(samples.all().limit(0).first()).isEmpty();
    }
  }

  @Test
  void unknownAttributesNameTheNearest() {
    assertThatThrownBy(() -> SAMPLES.index("ctiy"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("city");
    assertThatThrownBy(() -> SAMPLES.index("age")).hasMessageContaining("named()");
    assertThatThrownBy(() -> SAMPLES.index("age up")).hasMessageContaining("asc or desc");
    assertThatThrownBy(() -> QueryIndex.of(TAGS, TAGS)).hasMessageContaining("many values");
    assertThatThrownBy(() -> QueryIndex.of(AGE).ignoringCase(TEXT))
        .hasMessageContaining("no part of the index");
  }

  /// What a program gave before is found as it was, and nothing is indexed again.
  @Test
  void indexesAreThereAfterAnOpen(@TempDir Path directory) {
    QueryTable<Long, Sample> table =
        SAMPLES.index(
            QueryIndex.of(SCORE)
                .where(AGE.between(10, 30).and(CITY.in(List.of("Bonn"))))
                .named("some"));
    try (Store store = Store.open(directory)) {
      filled(store, table);
    }
    try (Store store = Store.open(directory)) {
      List<Long> indexed = new ArrayList<>();
      Queryable<Long, Sample> samples = table.open(store, (bytes, _) -> indexed.add(bytes));
      assertThat(indexed).isEmpty();
      Condition<Sample> some = AGE.between(12, 20).and(CITY.in(List.of("Bonn")));
      assertThat(samples.where(some).using("some").explain()).contains("index some");
      assertThat(samples.where(some).using("some").list())
          .isNotEmpty()
          .containsExactlyInAnyOrderElementsOf(samples.where(some).using("").list());
      assertThat(store.verify().isSound()).isTrue();
    }
  }

  /// While others write, each snapshot has the rows that its indexes have; also an index that is
  /// made just then.
  @Test
  void indexesAgreeWithRowsWhileOthersWrite() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      var isDone = new AtomicBoolean();
      var latest = new AtomicReference<>(samples);
      var written = new AtomicLong();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (long number = 1000; !isDone.get(); number++) {
                  try {
                    latest.get().map().put(number % 500, Sample.of(number));
                    written.incrementAndGet();
                  } catch (IllegalStateException _) {
                    // An index of this definition was replaced just then; the next one is current.
                  }
                }
              });
      try {
        for (int round = 0; round < 10; round++) {
          QueryIndex<Sample> another = QueryIndex.of(SCORE).version(round);
          Queryable<Long, Sample> current = SAMPLES.index(another).open(store);
          latest.set(current);
          long before = written.get();
          while (written.get() == before && writer.isAlive()) {
            Thread.onSpinWait();
          }
          assertThat(writer.isAlive()).isTrue();
          try (Snapshot snapshot = store.snapshot()) {
            Found<Long, Sample> found =
                current.in(snapshot).where(SCORE.between(20.0, 60.0).and(AGE.ge(round)));
            List<Long> rows = found.using("").keys().toList();
            assertThat(found.using("score").keys().toList())
                .containsExactlyInAnyOrderElementsOf(rows);
            assertThat(found.using("age").keys().toList())
                .containsExactlyInAnyOrderElementsOf(rows);
          }
        }
      } finally {
        isDone.set(true);
        writer.join();
      }
      for (String index : List.of("city, age", "age", "tags", "number", "score")) {
        assertThat(samples.indexes().verify(index)).isEmpty();
      }
    }
  }

  /// A snapshot from before an index was made has rows without entries.
  @Test
  void snapshotsFromBeforeAnIndexDoNotUseIt() {
    try (Store store = Store.inMemory()) {
      filled(store, QueryTable.of(Sample.TABLE, Sample.ENTITY));
      try (Snapshot snapshot = store.snapshot()) {
        Queryable<Long, Sample> samples = SAMPLES.open(store);
        Found<Long, Sample> before = samples.in(snapshot).where(AGE.lt(5));
        assertThat(before.explain()).doesNotContain("index");
        assertThat(before.count()).isPositive().isEqualTo(samples.where(AGE.lt(5)).count());
        assertThat(before.list()).hasSize((int) before.count());
        assertThat(samples.in(snapshot).where(NUMBER.eq(3L)).list()).containsExactly(Sample.of(3));
      }
    }
  }

  /// Queries find other ways when an index is dropped after the table was opened.
  @Test
  void droppedIndexesAreNotUsed() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = filled(store, SAMPLES);
      Found<Long, Sample> young = samples.where(AGE.lt(3));
      List<Long> keys = young.keys().toList();
      assertThat(young.explain()).contains("index age");
      assertThat(samples.indexes().drop("age")).isTrue();
      assertThat(young.explain()).doesNotContain("index age:");
      assertThat(young.keys().toList()).containsExactlyInAnyOrderElementsOf(keys);
      assertThat(young.count()).isEqualTo(keys.size());
    }
  }

  @Test
  void anErrorDuringASortLeavesNoTemporaryFile(@TempDir Path directory) {
    try (Store store = Store.inMemory()) {
      int[] rows = {0};
      Attribute<Sample, String> failing =
          Attribute.of(
              "failing",
              String.class,
              sample -> {
                if (++rows[0] == 400) {
                  assertThat(scratchFiles(directory)).isNotEmpty();
                  throw new OutOfMemoryError("none left");
                }
                return "x".repeat(1000) + sample.number();
              });
      Queryable<Long, Sample> samples =
          filled(
              store, QueryTable.of(Sample.TABLE, Sample.ENTITY).sortingWithin(1 << 16, directory));
      assertThatThrownBy(() -> samples.all().orderBy(failing.asc()).list())
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(scratchFiles(directory)).isEmpty();
      assertThat(directory).isEmptyDirectory();
    }
  }

  private static List<Path> scratchFiles(Path directory) {
    try {
      return ScratchFiles.openIn(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Such an index has no entries of nulls, so it cannot bound a condition that wants them.
  @Test
  void anIndexWithoutNullsIsNotAskedForElementsThatAreNull() {
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples =
          filled(
              store,
              QueryTable.of(Sample.TABLE, Sample.ENTITY).index(QueryIndex.of(TAGS).withoutNulls()));
      Condition<Sample> isNull =
          new Predicate<>(
              new Expression.Exists(
                  1, new Expression.Path(0, TAGS), new Expression.IsNull(new Expression.Self(1))));
      for (String tag : Sample.TAG_NAMES) {
        Set<Long> expected = new HashSet<>();
        samples
            .map()
            .forEach((key, sample) -> {
              if (sample.tags().contains(null) && sample.tags().contains(tag)) {
                expected.add(key);
              }
            });
        assertThat(samples.where(isNull.and(TAGS.contains(tag))).keys().toList())
            .as(tag)
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }
}
