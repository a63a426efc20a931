package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Fractions of texts are decimal numbers where they meet a `BigDecimal`, as in SQL.
class DecimalsTest {
  private static final Table<String, Item> ITEMS =
      Table.of("items", Codec.string(), JsonCodec.of(Item.class));

  record Item(
      @Key String id,
      BigDecimal price,
      @Nullable BigDecimal old,
      int count,
      double kg,
      List<Double> weights) {}

  private Store store;
  private Queries queries;

  @BeforeEach
  void fill() {
    store = Store.inMemory();
    store.open(ITEMS).put("1", item("1", "0.1", 3, 0.1));
    queries = Queries.of(store).table(ITEMS, Entity.of(Item.class));
  }

  private static Item item(String id, String price, int count, double kg) {
    return new Item(id, new BigDecimal(price), null, count, kg, List.of(kg));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "price = 0.1",
        "price + 0 = 0.1",
        "price * 2 = 0.2",
        "0.3 = price * count",
        "price * 1.1 = 0.11",
        "1.1 * count * price = 0.33",
        "price = 0.3 - 0.2",
        "-price = -0.1",
        "abs(-price) in (0.1, 5)",
        "price * (1 + 0.5) between 0.15 and 0.15",
        "round(price * 1.15, 2) = 0.12",
        "coalesce(old, 0.1) = 0.1",
        "coalesce(price * 1.1, null) = 0.11",
        "coalesce(old, price) + 0.2 = 0.3",
        "nullif(price, 0.1) is null",
        "price % 0.03 = 0.01",
        "mod(price, 0.03) = 0.01",
        "price * 2 = '0.2'",
        "case price * 2 when 0.2 then true end",
        "price * length('ab') = 0.2",
        "1.5bd * count = 4.5",
        "kg = 0.1",
        "kg * 1 = 0.1",
        "kg + 0.2 = 0.30000000000000004",
        "kg * price = 0.01 or kg * price > 0.01",
        "0.1 + 0.2 = 0.30000000000000004"
      })
  void aConditionIsTrueAsInSql(String condition) {
    assertThat(queries.query("from items where " + condition).list()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kg = price2 * 0.1",
        "price2 * 0.1 = kg",
        "kg * 1 = price2 * 0.1",
        "kg = price2 * (0.2 - 0.1)",
        "kg = -(price2 * -0.1)",
        "kg = abs(price2 * 0.1)",
        "kg = round(price2 * 0.1, 1)",
        "kg = price2 * 0.1 + (price - 0.1)",
        "kg <= price2 * 0.1 and kg >= price2 * 0.1",
        "not kg <> price2 * 0.1",
        "kg between price2 * 0.1 and price2 * 0.1",
        "price2 * 0.1 between kg and kg",
        "price2 * 0.1 between kg and 0.1",
        "price2 * 0.1 between kg and 0.1bd",
        "price between price2 * 0.1 and kg",
        "kg in (5, price2 * 0.1)",
        "price2 * 0.1 in (5, kg)",
        "price2 * 0.1 in (kg * 2, 0.1)",
        "price2 * 0.1 in (kg * 2, price)",
        "price in (kg * 2, 0.1)",
        "case kg when price2 * 0.1 then true end",
        "nullif(kg, price2 * 0.1) is null",
        "coalesce(nullif(kg, 0.1), price2 * 0.1) = 0.1",
        "price2 * 0.1 member of weights",
        "exists (from weights w where w = price2 * 0.1)",
        "price2 * 0.3 not in (price, kg * 2)"
      })
  void aDecimalNumberIsADoubleWhereItIsComparedWithOne(String condition) {
    String text = condition.replace("price2", "(price * 10)");
    assertThat(queries.query("from items where " + text).list()).hasSize(1);
  }

  @Test
  void aParameterIsADoubleWhereItIsComparedWithOne() {
    Query query =
        queries.query("from items where kg = price * 1.0 * ?1 and price * ?1 in (kg, ?2)");
    assertThat(query.with(1.0, 7).list()).hasSize(1);
    assertThat(query.with(new BigDecimal("1.0"), List.of(0.2)).list()).hasSize(1);
    assertThat(query.with(1.1, 0.11).list()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count * 1.5, sum(price) from items group by count * 1.5"
            + " having sum(price) < count * 1.5",
        "select sum(price) - count * 0.5 from items group by count * 0.5",
        "select price * (count * 1.5) from items group by price, count * 1.5",
        "select price * (2.5 + count * 1.5) from items group by price, count * 1.5",
        "select count * 1.5 as c, sum(price) from items group by count * 1.5"
            + " order by c + sum(price)",
        "select coalesce(sum(price), count * 1.5) from items group by count * 1.5",
        "select max(kg) from items group by count, price having max(kg) = price * (count - 2.0)",
        "select max(kg) from items group by price * 1.0 having max(kg) = price * 1.0"
      })
  void groupsAreByFractionsThatMeetADecimalNumber(String text) {
    assertThat(queries.query(text).list()).hasSize(1);
  }

  @Test
  void groupsAreByParametersThatMeetADecimalNumber() {
    String text =
        "select sum(price) + count * :f from items group by count * :f"
            + " having sum(price) < count * :f";
    assertThat(queries.query(text).set("f", 1.5).list().getFirst().values())
        .isEqualTo(List.of(4.6));
  }

  @Test
  void parametersAreDecimalNumbersToo() {
    Query query = queries.query("from items where price * ?1 = ?2 and price + count * ?3 > 0.3");
    assertThat(query.with(1.1, 0.11, 0.1).list()).hasSize(1);
    assertThat(query.with(new BigDecimal("1.1"), "0.11", 1).list()).hasSize(1);
  }

  @Test
  void groupsAndChangesAreExact() {
    store.open(ITEMS).put("2", item("2", "0.2", 1, 0.2));
    String sums = "select sum(price), sum(kg) from items having sum(price) = 0.3";
    assertThat(queries.query(sums).list().getFirst().values())
        .isEqualTo(List.of(new BigDecimal("0.3"), 0.1 + 0.2));
    assertThat(queries.query("update items set price = price * 1.1, kg = price * 1.5").update())
        .isEqualTo(2);
    Item changed = store.open(ITEMS).get("1");
    assertThat(changed.price()).isEqualTo(new BigDecimal("0.11"));
    assertThat(changed.kg()).isEqualTo(0.15);
    assertThat(queries.query("select kg * 1.5, 1.5 from items").list().getFirst().values())
        .hasOnlyElementsOfType(Double.class);
  }
}
