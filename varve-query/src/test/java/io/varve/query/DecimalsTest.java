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

  record Item(@Key String id, BigDecimal price, @Nullable BigDecimal old, int count, double kg) {}

  private Store store;
  private Queries queries;

  @BeforeEach
  void fill() {
    store = Store.inMemory();
    store.open(ITEMS).put("1", new Item("1", new BigDecimal("0.1"), null, 3, 0.1));
    queries = Queries.of(store).table(ITEMS, Entity.of(Item.class));
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

  @Test
  void parametersAreDecimalNumbersToo() {
    Query query = queries.query("from items where price * ?1 = ?2 and price + count * ?3 > 0.3");
    assertThat(query.with(1.1, 0.11, 0.1).list()).hasSize(1);
    assertThat(query.with(new BigDecimal("1.1"), "0.11", 1).list()).hasSize(1);
  }

  @Test
  void groupsAndChangesAreExact() {
    store.open(ITEMS).put("2", new Item("2", new BigDecimal("0.2"), null, 1, 0.2));
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
