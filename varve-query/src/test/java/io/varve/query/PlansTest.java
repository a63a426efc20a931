package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Snapshot;
import io.varve.Store;
import io.varve.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// No plan changes an answer: random queries, by each index and by none, against a scan in memory.
class PlansTest {
  /// For long runs: `-Dvarve.query.rounds=100000`.
  private static final int ROUNDS = Integer.getInteger("varve.query.rounds", 80);

  private static final long SEED = Long.getLong("varve.seed", 19);
  private static final int ROWS = 300;

  static final QueryTable<Long, Sample> SAMPLES =
      QueryTable.of(Sample.TABLE, Sample.ENTITY)
          .index("city")
          .index("age desc")
          .index("city", "age")
          .index("city desc", "score")
          .index("mixed")
          .index("tags")
          .index("tags", "age")
          .index("text")
          .index("text desc", "city")
          .uniqueIndex("number")
          .index(QueryIndex.of(Sample.CITY).ignoringCase(Sample.CITY).named("case"))
          .index(QueryIndex.of(Sample.AGE, Sample.CITY).withoutNulls().named("full"))
          .index(QueryIndex.of(Sample.AGE.asc().nullsLast()).named("last"))
          .index(QueryIndex.of(Sample.SCORE).where(Sample.AGE.between(10, 30)).named("middle"));

  @Test
  void everyPlanGivesTheSameAnswer() {
    Random random = new Random(SEED);
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = SAMPLES.open(store);
      NavigableMap<Long, Sample> rows = fill(samples);
      for (int round = 0; round < ROUNDS; round++) {
        try (Snapshot snapshot = store.snapshot()) {
          check(samples.in(snapshot), rows, random);
        }
        change(samples, rows, random);
      }
      for (QueryIndex<Sample> index : SAMPLES.indexes()) {
        assertThat(samples.indexes().verify(index.name())).isEmpty();
      }
    }
  }

  @Test
  void everyPlanSeesTheWritesOfItsTransaction() {
    Random random = new Random(SEED + 1);
    try (Store store = Store.inMemory()) {
      Queryable<Long, Sample> samples = SAMPLES.open(store);
      NavigableMap<Long, Sample> rows = fill(samples);
      try (Transaction transaction = store.begin()) {
        for (int round = 0; round < ROUNDS / 4; round++) {
          for (int i = 0; i < 5; i++) {
            change(samples.in(transaction), rows, random);
          }
          check(samples.in(transaction), rows, random);
        }
        transaction.commit();
      }
      check(samples, rows, random);
    }
  }

  private static NavigableMap<Long, Sample> fill(Queryable<Long, Sample> samples) {
    NavigableMap<Long, Sample> rows = new TreeMap<>();
    for (long number = 0; number < ROWS; number++) {
      rows.put(number, Sample.of(number));
    }
    samples.map().putAll(rows);
    return rows;
  }

  /// Gives another number to one key, so that each index changes, or removes one.
  private static void change(
      Queryable<Long, Sample> samples, NavigableMap<Long, Sample> rows, Random random) {
    long key = random.nextInt(ROWS);
    Sample row = rows.get(key);
    if (row != null && random.nextInt(8) == 0) {
      rows.remove(key);
      samples.map().remove(key);
      return;
    }
    Sample changed = Sample.of(row == null ? key : row.number() + ROWS);
    rows.put(key, changed);
    samples.map().put(key, changed);
  }

  private static void check(
      Queryable<Long, Sample> samples, NavigableMap<Long, Sample> rows, Random random) {
    var conditions = new RandomConditions(random);
    Condition<Sample> condition = conditions.next(2);
    List<Order<Sample>> orders = conditions.orders();
    int limit = random.nextInt(3) == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
    int offset = random.nextInt(4) == 0 ? random.nextInt(10) : 0;
    Comparator<Sample> comparator = comparator(orders);
    NavigableMap<Long, Sample> found = new TreeMap<>(rows);
    found.values().removeIf(row -> !condition.test(0L, row));
    List<Sample> sorted = found.values().stream().sorted(comparator).toList();
    Found<Long, Sample> all = ordered(samples.where(condition), orders);

    List<Found<Long, Sample>> ways = new ArrayList<>(List.of(all, all.using("")));
    SAMPLES.indexes().forEach(index -> ways.add(all.using(index.name())));
    for (Found<Long, Sample> way : ways) {
      String plan = condition + " order by " + orders + "\n" + way.explain();
      assertThat(way.keys().toList()).as(plan).containsExactlyInAnyOrderElementsOf(found.keySet());
      assertThat(way.list()).as(plan).isSortedAccordingTo(comparator);
      assertThat(way.count()).as(plan).isEqualTo(found.size());
      List<Sample> part = sorted.stream().skip(offset).limit(limit).toList();
      checkPart(way.offset(offset).limit(limit), found, part, comparator, plan);
    }
    checkPages(all, ways, found.keySet(), random);
  }

  /// Which of the rows come that are equal in the order is open.
  private static void checkPart(
      Found<Long, Sample> way,
      NavigableMap<Long, Sample> found,
      List<Sample> expected,
      Comparator<Sample> comparator,
      String plan) {
    List<Map.Entry<Long, Sample>> part = way.entries().toList();
    assertThat(part).as(plan).hasSameSizeAs(expected);
    assertThat(way.count()).as(plan).isEqualTo(expected.size());
    for (int i = 0; i < part.size(); i++) {
      Sample row = part.get(i).getValue();
      assertThat(found).as(plan).containsEntry(part.get(i).getKey(), row);
      assertThat(comparator.compare(row, expected.get(i))).as(plan).isZero();
    }
  }

  /// Each page by another plan.
  private static void checkPages(
      Found<Long, Sample> all, List<Found<Long, Sample>> ways, Set<Long> expected, Random random) {
    int size = 1 + random.nextInt(100);
    List<Long> keys = new ArrayList<>();
    List<Sample> values = new ArrayList<>();
    Page<Long, Sample> page = all.limit(size).page();
    while (true) {
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(size);
      page.entries().stream().map(Map.Entry::getKey).forEach(keys::add);
      values.addAll(page.values());
      if (page.next() == null) {
        break;
      }
      Found<Long, Sample> way = ways.get(random.nextInt(ways.size()));
      page = way.limit(size).after(page.next()).page();
    }
    assertThat(keys).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(values).hasSameSizeAs(keys);
  }

  static Found<Long, Sample> ordered(Found<Long, Sample> found, List<Order<Sample>> orders) {
    return switch (orders.size()) {
      case 0 -> found;
      case 1 -> found.orderBy(orders.getFirst());
      default -> found.orderBy(orders.getFirst(), orders.get(1));
    };
  }

  static Comparator<Sample> comparator(List<Order<Sample>> orders) {
    Comparator<Sample> comparator = (left, right) -> 0;
    for (Order<Sample> order : orders) {
      comparator =
          comparator.thenComparing((left, right) -> {
            Object a = order.attribute().get(left);
            Object b = order.attribute().get(right);
            if (a == null || b == null) {
              int nullness = Boolean.compare(a != null, b != null);
              return order.nulls() == Nulls.FIRST ? nullness : -nullness;
            }
            int direction = Values.compare(a, b);
            return order.isDescending() ? -direction : direction;
          });
    }
    return comparator;
  }
}
