package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Guards against answers that depend on the plan, where values are equal or have no order.
class SamePlansTest {
  private static final int ROWS = 40;

  record Spot(int x) {}

  /// @param spot of a class that has no order
  /// @param spots a list that has it inside
  /// @param depth zero of either sign
  record Item(int number, Spot spot, Object spots, double depth, float height) {
    static Item of(int number, int firstSign) {
      int sign = (number & 1) == 0 ? firstSign : -firstSign;
      Spot spot = new Spot(number * 7 % ROWS);
      return new Item(number, spot, List.of(number % 2, spot, -number), sign * 0.0, sign * 0.0f);
    }
  }

  private static final Attribute<Item, Integer> NUMBER =
      Attribute.of("number", Integer.class, Item::number);
  private static final Attribute<Item, Spot> SPOT = Attribute.of("spot", Spot.class, Item::spot);
  private static final Attribute<Item, Object> SPOTS =
      Attribute.of("spots", Object.class, Item::spots);

  private final List<Item> objects = new ArrayList<>();
  private final Table<Integer, Item> table =
      Table.of(
          "items", Codec.int32(), Codec.of(item -> new byte[] {(byte) item.number()}, this::read));
  private final Store store = Store.inMemory();
  private Queryable<Integer, Item> items;

  /// The codec of a program may give any objects.
  private Item read(byte[] bytes) {
    return objects.get(bytes[0]);
  }

  @BeforeEach
  void open() {
    items =
        QueryTable.of(table, Entity.of(Item.class))
            .index(QueryIndex.of(SPOT).named("up"))
            .index(QueryIndex.of(SPOT.desc(), NUMBER.asc()).named("down"))
            .index(QueryIndex.of(SPOTS).named("lists"))
            .index("number desc")
            .open(store);
    fill(1);
  }

  private void fill(int firstSign) {
    objects.clear();
    IntStream.range(0, ROWS).forEach(number -> objects.add(Item.of(number, firstSign)));
    objects.forEach(item -> items.map().put(item.number(), item));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static List<Integer> numbers(List<Item> found) {
    return found.stream().map(Item::number).toList();
  }

  /// A table with indexes, and the same without.
  private List<Queries> sources() {
    return List.of(
        Queries.of(store).table(items), Queries.of(store).table(table, Entity.of(Item.class)));
  }

  private void assertOrdered(Attribute<Item, ?> by, List<Integer> up, List<String> names) {
    for (String name : names) {
      Found<Integer, Item> all = items.where(NUMBER.ge(0)).using(name);
      assertThat(numbers(all.orderBy(by.asc()).list())).as(name).isEqualTo(up);
      assertThat(numbers(all.orderBy(by.desc()).list())).as(name).isEqualTo(up.reversed());
      assertThat(numbers(all.orderBy(by.desc()).limit(5).list()))
          .as(name)
          .isEqualTo(up.reversed().subList(0, 5));
    }
    for (Queries queries : sources()) {
      String text = "from items order by " + by.path();
      assertThat(numbers(queries.query(text).list(Item.class))).isEqualTo(up);
      assertThat(numbers(queries.query(text + " desc").list(Item.class))).isEqualTo(up.reversed());
      assertThat(numbers(queries.query(text + " limit 5").list(Item.class)))
          .isEqualTo(up.subList(0, 5));
    }
  }

  @Test
  void rowsWhoseValuesHaveNoOrderComeByTheirKeys() {
    List<Integer> byKey = IntStream.range(0, ROWS).boxed().toList();
    assertOrdered(SPOT, byKey, List.of("", "up", "down", "number desc"));
    List<Integer> evenFirst =
        IntStream.range(0, ROWS).map(row -> row < 20 ? 2 * row : 2 * row - 39).boxed().toList();
    assertOrdered(SPOTS, evenFirst, List.of("", "lists", "up", "number desc"));
  }

  @Test
  void sortsOfJoinedRowsHaveNoOtherOrder() {
    for (Queries queries : sources()) {
      List<Row> rows =
          queries
              .query(
                  "select a.number as n from items a join items b on b.number = a.number"
                      + " order by b.spot, b.number desc")
              .list();
      assertThat(rows.stream().map(row -> row.values().getFirst()).toList())
          .isEqualTo(IntStream.range(0, ROWS).mapToObj(row -> ROWS - 1 - row).toList());
    }
  }

  @Test
  void objectsThatAreEqualAreOneGroup() {
    for (Queries queries : sources()) {
      assertThat(queries.query("select distinct spot from items order by spot").list())
          .hasSize(ROWS);
      assertThat(queries.query("select spot, count(*) from items group by spot").list())
          .hasSize(ROWS);
    }
  }

  @Test
  void oneZeroStandsForBoth() {
    for (int firstSign : List.of(1, -1)) {
      fill(firstSign);
      for (Queries queries : sources()) {
        assertShown(queries, "select depth from items group by depth", 0.0);
        assertShown(queries, "select distinct depth from items", 0.0);
        assertShown(queries, "select distinct height from items where number in (3, 2)", 0.0f);
        assertShown(queries, "select min(depth) from items", 0.0);
        assertShown(queries, "select max(depth) from items where number > 2", 0.0);
        assertShown(queries, "select max(distinct height) from items", 0.0);
        assertShown(queries, "select sum(depth) from items where number in (1, 3)", 0.0);
      }
      assertThat(items.where(NUMBER.eq(1)).list().getFirst().depth()).isEqualTo(-firstSign * 0.0);
    }
  }

  private static void assertShown(Queries queries, String text, Object zero) {
    List<Row> rows = queries.query(text).list();
    assertThat(rows).as(text).hasSize(1);
    assertThat(rows.getFirst().values()).as(text).containsExactly(zero);
  }
}
