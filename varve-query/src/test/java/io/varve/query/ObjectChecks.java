package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.IndexedSpace.IndexStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Compares what queries find of objects with the objects.
final class ObjectChecks {
  static final QueryTable<Long, Sample> SAMPLES =
      QueryTable.ofObjects("samples", Codec.int64(), Sample.ENTITY)
          .index("city", "age")
          .index("tags")
          .index("text desc");

  static final QueryTable<Long, Sample> OTHER_INDEXES =
      QueryTable.ofObjects("samples", Codec.int64(), Sample.ENTITY)
          .index("city", "age")
          .index("score");

  private ObjectChecks() {}

  /// Asks random queries, of objects that no thread changes.
  static void assertAnswers(
      ObjectTable<Long, Sample> table, Map<Long, Sample> map, Random random, String what) {
    var conditions = new RandomConditions(random);
    for (int query = 0; query < 3; query++) {
      Condition<Sample> condition = conditions.next(2);
      List<Map.Entry<Long, Sample>> expected =
          map.entrySet().stream()
              .filter(entry -> condition.test(entry.getKey(), entry.getValue()))
              .<Map.Entry<Long, Sample>>map(entry -> Map.entry(entry.getKey(), entry.getValue()))
              .toList();
      Found<Long, Sample> found = table.where(condition);
      assertThat(found.count()).as("%s %s", what, condition).isEqualTo(expected.size());
      try (var entries = found.entries()) {
        assertThat(entries).as("%s %s", what, condition).hasSameElementsAs(expected);
      }
      assertOrdered(found, expected, conditions.orders(), random, what + " " + condition);
    }
  }

  private static void assertOrdered(
      Found<Long, Sample> found,
      List<Map.Entry<Long, Sample>> expected,
      List<Order<Sample>> orders,
      Random random,
      String what) {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Order<Sample>[] by = orders.toArray(new Order[0]);
    int limit = 1 + random.nextInt(40);
    List<Sample> paged = new ArrayList<>();
    Page<Long, Sample> page = found.orderBy(by).limit(limit).page();
    paged.addAll(page.values());
    while (page.next() != null) {
      page = found.orderBy(by).limit(limit).after(page.next()).page();
      paged.addAll(page.values());
    }
    List<Sample> all = found.orderBy(by).list();
    assertThat(paged).as(what).hasSameElementsAs(all).hasSize(expected.size());
    assertThat(all).as(what).hasSize(expected.size()).isSortedAccordingTo(comparator(orders));
    assertThat(paged).as(what).isSortedAccordingTo(comparator(orders));
  }

  private static Comparator<Sample> comparator(List<Order<Sample>> orders) {
    return (left, right) -> {
      for (Order<Sample> order : orders) {
        Object a = order.attribute().get(left);
        Object b = order.attribute().get(right);
        int by =
            a == null || b == null
                ? Boolean.compare(a != null, b != null) * (order.nulls() == Nulls.FIRST ? 1 : -1)
                : Values.compare(a, b) * (order.isDescending() ? -1 : 1);
        if (by != 0) {
          return by;
        }
      }
      return 0;
    };
  }

  static void assertVerified(ObjectTable<?, ?> table) {
    for (IndexStatus index : table.indexes().list()) {
      assertThat(table.indexes().verify(index.name())).isEmpty();
    }
  }
}
