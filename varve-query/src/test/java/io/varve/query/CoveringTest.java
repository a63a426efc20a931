package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.RecordCodec;
import io.varve.Store;
import io.varve.Table;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is in an index alone is answered without reading a row, with the values of the rows.
class CoveringTest {
  private static final int ROWS = 500;
  private static final String LONG = "long ".repeat(300);

  enum Level {
    LOW,
    HIGH
  }

  record Item(
      String city,
      int age,
      long amount,
      Level level,
      LocalDate day,
      Instant at,
      UUID token,
      boolean open,
      double score,
      String text) {
    static Item of(int number) {
      return new Item(
          "City " + number % 7,
          number % 50,
          number * 1_000_000_000_000L,
          number % 3 == 0 ? Level.LOW : Level.HIGH,
          LocalDate.ofEpochDay(number % 11),
          Instant.ofEpochSecond(number, number),
          new UUID(number % 5, number),
          number % 2 == 0,
          number / 7.0,
          number % 10 == 0 ? LONG + number : "text " + number);
    }
  }

  private final AtomicInteger decoded = new AtomicInteger();
  private final Store store = Store.inMemory();
  private Queries queries;
  private Queries scanned;
  private Queryable<Integer, Item> items;

  @BeforeEach
  void fill() {
    RecordCodec<Item> codec = Codec.record(Item.class);
    Table<Integer, Item> table =
        Table.of(
            "items",
            Codec.int32(),
            Codec.of(
                codec::encode,
                bytes -> {
                  decoded.incrementAndGet();
                  return codec.decode(bytes);
                }));
    Entity<Item> entity = Entity.of(Item.class);
    Attribute<Item, String> city = Attribute.of("city", String.class, Item::city);
    items =
        QueryTable.of(table, entity)
            .index("city", "age desc")
            .index("level", "amount", "day desc", "at", "token", "open")
            .index("score")
            .index("text")
            .index(QueryIndex.of(city).ignoringCase(city).named("folded"))
            .open(store);
    store.transact(
        tx -> IntStream.range(0, ROWS).forEach(key -> items.in(tx).map().put(key, Item.of(key))));
    queries = Queries.of(store).table(items);
    scanned = Queries.of(store).table(table, entity);
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// The answers, which are those of a scan, and how many rows were read for them.
  private int rowsReadFor(String text) {
    List<Row> expected = scanned.query(text).list();
    decoded.set(0);
    List<Row> found = queries.query(text).list();
    int rows = decoded.get();
    assertThat(found).as(text).containsExactlyInAnyOrderElementsOf(expected).isNotEmpty();
    String plan = queries.query(text).explain();
    assertThat(plan.contains("out of the index alone")).as(plan).isEqualTo(rows < found.size());
    return rows;
  }

  private void assertCovered(String text) {
    assertThat(rowsReadFor(text)).as(text).isZero();
  }

  @Test
  void fieldsOfOneIndexAreAnsweredByIt() {
    assertCovered("select city, age from items where city = 'City 3'");
    assertCovered("select id(this), city from items where city >= 'City 3' and age < 20");
    assertCovered(
        "select age from items where city in ('City 1', 'City 2') order by city, age desc");
    assertCovered("select age + 1, city || '!' from items where lower(city) like '%3'");
    assertCovered(
        "select level, amount, day, at, token, open from items where level = LOW order by amount"
            + " limit 300");
  }

  @Test
  void groupsDistinctAnswersAndAggregatesAreMadeOfEntries() {
    assertCovered("select distinct city from items");
    assertCovered("select city, count(*), sum(age), min(age) from items group by city");
    assertCovered("select level, max(day) from items group by level having count(*) > 1");
    assertCovered("select min(amount), max(at), count(distinct token) from items");
    assertCovered("select count(*) from items where city like '%3' and age < 20");
  }

  @Test
  void keysAndExistenceAreFoundByEntries() {
    Attribute<Item, String> city = Attribute.of("city", String.class, Item::city);
    Attribute<Item, Integer> age = Attribute.of("age", Integer.class, Item::age);
    Found<Integer, Item> found = items.where(city.like("%3").and(age.ne(7)));
    List<Integer> expected = found.using("").keys().toList();
    decoded.set(0);
    assertThat(found.keys().toList()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(found.count()).isEqualTo(expected.size());
    assertThat(found.exists()).isTrue();
    assertThat(decoded.get()).isZero();
  }

  /// An index that lacks a field, or has another value for it, asks the rows.
  @Test
  void whatAnIndexDoesNotHoldIsRead() {
    assertThat(rowsReadFor("select city, open from items where city = 'City 3'")).isPositive();
    assertThat(rowsReadFor("from items where city = 'City 3'")).isPositive();
    assertThat(rowsReadFor("select score from items where score < 20")).isPositive();
  }

  /// The rows of the entries that were cut, a tenth, and no others.
  @Test
  void valuesThatWereCutAreReadFromTheirRows() {
    assertThat(rowsReadFor("select text from items where text like '%9' or text like '%0'"))
        .isEqualTo(ROWS / 10);
  }
}
