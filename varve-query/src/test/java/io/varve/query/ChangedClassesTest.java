package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Rows that are read as another class than the one that they were indexed as: the same bytes give
/// other values, so an index by the old ones finds nothing.
class ChangedClassesTest {
  enum Level {
    LOW,
    HIGH
  }

  enum Reordered {
    HIGH,
    MIDDLE,
    LOW
  }

  enum Renamed {
    LOW,
    HIGHER
  }

  record Constant(@Key String id, Integer age, Renamed level) {}

  record Before(
      @Key String id, Integer age, String born, String level, double price, String code) {}

  record After(
      @Key String id, String age, LocalDate born, Level level, BigDecimal price, UUID code) {}

  record Gained(
      @Key String id, Long age, String born, Reordered level, double price, String city) {}

  private static final List<String> PATHS = List.of("age", "born", "level", "price", "code");
  private static final List<String> PATHS_OF_BOTH = List.of("age", "level");
  private static final String CODE = "123e4567-e89b-12d3-a456-426614174000";

  private static <V> Table<String, V> table(Class<V> type) {
    return Table.of("items", Codec.string(), JsonCodec.of(type));
  }

  private static <V> QueryTable<String, V> indexed(Class<V> type, List<String> paths) {
    QueryTable<String, V> indexed = QueryTable.of(table(type), Entity.of(type));
    for (String path : paths) {
      indexed = indexed.index(path);
    }
    return indexed;
  }

  private static Store filled() {
    Store store = Store.inMemory();
    Queryable<String, Before> items = indexed(Before.class, PATHS).open(store);
    items.map().put("1", new Before("1", 36, "2026-01-01", "LOW", 0.1, CODE));
    items.map().put("2", new Before("2", 9, "2026-02-01", "HIGH", 0.3, CODE.replace('1', '2')));
    return store;
  }

  private static List<String> ids(Queryable<String, ?> items, String condition) {
    Queries queries = Queries.of(items.map().space().store()).table(items);
    return queries.query("select id(this) from items where " + condition).list(String.class);
  }

  @Test
  void attributeOfAnotherTypeHasItsIndexBuiltAgain() {
    try (Store store = filled()) {
      Queryable<String, After> items = indexed(After.class, PATHS).open(store);
      for (String condition :
          List.of(
              "age = '36'",
              "age < '9'",
              "born = '2026-01-01'",
              "level = LOW",
              "price = 0.1",
              "code = '" + CODE + "'")) {
        assertThat(ids(items, condition)).as(condition).containsExactly("1");
      }
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  /// A table that is only read does not build it again, and finds rows without it.
  @Test
  void readerOfAnotherTypeDoesNotUseTheIndex() {
    try (Store store = filled()) {
      Queryable<String, After> items = indexed(After.class, PATHS).openToRead(store);
      assertThat(ids(items, "born = '2026-01-01'")).containsExactly("1");
      assertThat(
              items
                  .where(
                      Attribute.<After, LocalDate>of("born", LocalDate.class, After::born)
                          .eq(LocalDate.parse("2026-01-01")))
                  .explain())
          .contains("all rows");
    }
  }

  @Test
  void indexOfSomeRowsIsBuiltAgainWhenItsConditionReadsAnotherType() {
    try (Store store = Store.inMemory()) {
      Attribute<Before, Integer> age = Attribute.of("age", Integer.class, Before::age);
      Attribute<After, String> text = Attribute.of("age", String.class, After::age);
      indexed(Before.class, List.of())
          .index(QueryIndex.of(age).named("some").where(age.ge(5)))
          .open(store);
      String before = id(store);
      indexed(Before.class, List.of())
          .index(QueryIndex.of(age).named("some").where(age.ge(5)))
          .open(store);
      assertThat(id(store)).isEqualTo(before);
      indexed(After.class, List.of())
          .index(QueryIndex.of(text).named("some").where(text.ge("5")))
          .open(store);
      assertThat(id(store)).isNotEqualTo(before);
    }
  }

  private static String id(Store store) {
    return store.indexed(store.open(table(Before.class)).space()).list().getFirst().id();
  }

  @Test
  void componentsComeAndGoAndConstantsAreReordered() {
    try (Store store = filled()) {
      QueryTable<String, Gained> indexed = indexed(Gained.class, List.of("age", "level", "city"));
      Queryable<String, Gained> items = indexed.open(store);
      assertThat(ids(items, "age = 36")).containsExactly("1");
      assertThat(ids(items, "city is null order by level")).containsExactly("2", "1");
      items.map().remove("1");
      assertThat(ids(items, "age = 36")).isEmpty();
      assertThatThrownBy(() -> indexed.index("code"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no such attribute: entity=Gained, path=code");
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  private static void requireNamed(ThrowingCallable read) {
    assertThatThrownBy(read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("an entry of the table cannot be decoded: table=items, key=2, ")
        .hasMessageContaining("part=value, bytes=")
        .hasMessageContaining("codec=json; ")
        .hasMessageContaining("wanted=" + Renamed.class.getName())
        .hasMessageNotContaining("HIGH");
  }

  @Test
  void rowOfARenamedConstantIsNamed() {
    try (Store store = filled()) {
      Queryable<String, Constant> items = indexed(Constant.class, List.of()).openToRead(store);
      Queries queries = Queries.of(store).table(items);
      requireNamed(() -> items.all().list());
      requireNamed(() -> queries.query("select level from items").list(Renamed.class));
      requireNamed(() -> indexed(Constant.class, PATHS_OF_BOTH).index("level", "id").open(store));
      store.indexed(store.space("items")).drop("level,id");
      indexed(Before.class, PATHS).open(store);
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  @Test
  void verifyNamesTheRowThatAnIndexCannotRead() {
    try (Store store = filled()) {
      Queryable<String, Constant> items = indexed(Constant.class, List.of("age")).open(store);
      assertThat(items.map().get("1").level()).isEqualTo(Renamed.LOW);
      assertThat(store.verify().problems())
          .singleElement()
          .asString()
          .startsWith("the definition of the index refused an entry of the space: ")
          .contains("space=items, index=age, ");
      requireNamed(() -> store.indexed(store.space("items")).verify("age"));
      requireNamed(() -> items.map().remove("2"));
      indexed(Before.class, List.of("age")).open(store).map().remove("2");
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  /// Documents have no dates, UUIDs or decimal numbers, so their entries would be others.
  @Test
  void documentsKeepTheIndexesWhoseValuesAreTheirs() {
    try (Store store = filled()) {
      QueryTable<String, JsonNode> documents =
          QueryTable.of(table(JsonNode.class), Entity.documents("items")).withIndexesOf(store);
      assertThat(documents.indexes())
          .extracting(QueryIndex::name)
          .containsExactlyElementsOf(PATHS.stream().sorted().toList());
      Queryable<String, JsonNode> opened = documents.open(store);
      assertThat(ids(opened, "price = 0.1 and age = 36 and level = 'LOW'")).containsExactly("1");
      Queries.of(store).table(opened).query("update items set age = 37 where age = 36").update();
      assertThat(ids(indexed(Before.class, PATHS).open(store), "age = 37")).containsExactly("1");

      indexed(After.class, PATHS).open(store);
      QueryTable<String, JsonNode> fewer =
          QueryTable.of(table(JsonNode.class), Entity.documents("items")).withIndexesOf(store);
      assertThat(fewer.indexes()).extracting(QueryIndex::name).containsExactly("age", "level");
      assertThat(store.verify().problems()).isEmpty();
    }
  }
}
