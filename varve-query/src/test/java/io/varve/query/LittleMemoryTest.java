package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Groups, distinct answers and sorts of answers are the same with little memory and with much.
class LittleMemoryTest {
  /// For long runs: `-Dvarve.query.groups=1000000`.
  private static final int ROWS = Integer.getInteger("varve.query.groups", 4000);

  private static final int LITTLE_BYTES = 64 << 10;

  enum Kind {
    FEW,
    MANY
  }

  /// No form of bytes has its order.
  record Tag(int number) implements Comparable<Tag> {
    @Override
    public int compareTo(Tag other) {
      return Integer.compare(number, other.number);
    }
  }

  record Item(
      int number,
      String name,
      @Nullable Double score,
      @Nullable BigDecimal price,
      @Nullable String city,
      Kind kind,
      Tag tag,
      Object mixed) {
    static Item of(int number) {
      return new Item(
          number,
          "Name " + number * 7919L % ROWS,
          number % 5 == 0 ? null : number / 4.0,
          number % 6 == 0 ? null : BigDecimal.valueOf(number, number % 4),
          number % 9 == 0 ? null : "City " + number % 100,
          number % 3 == 0 ? Kind.FEW : Kind.MANY,
          new Tag(number % 40),
          number % 2 == 0 ? (Object) (number % 1000) : "m" + number % 1000);
    }
  }

  private static final Table<Integer, Item> TABLE =
      Table.of(
          "items",
          Codec.int32(),
          Codec.of(
              item -> Codec.int32().encode(item.number()),
              bytes -> Item.of(Codec.int32().decode(bytes))));

  @TempDir private Path files;
  private final Store store = Store.inMemory();
  private Queries little;
  private Queries much;

  @BeforeEach
  void fill() {
    var table = QueryTable.of(TABLE, Entity.of(Item.class));
    much = Queries.of(store).table(table.sortingWithin(1 << 30, files).open(store));
    little = Queries.of(store).table(table.sortingWithin(LITTLE_BYTES, files).open(store));
    store.transact(tx -> {
      for (int number = 0; number < ROWS; number++) {
        tx.open(TABLE).put(number, Item.of(number));
      }
    });
  }

  @AfterEach
  void close() throws IOException {
    store.close();
    assertThat(filesNow()).isZero();
  }

  private long filesNow() throws IOException {
    return ScratchFiles.openIn(files).size();
  }

  /// The same answers in the same order.
  private void assertSame(String text) throws IOException {
    List<Row> expected = much.query(text).list();
    assertThat(expected).as(text).hasSizeGreaterThan(1);
    try (Stream<Row> rows = little.query(text).stream()) {
      var iterator = rows.iterator();
      assertThat(iterator.hasNext()).isTrue();
      if (text.contains("by") && !text.contains("tag")) {
        assertThat(filesNow()).as("temporary files of %s", text).isPositive();
      }
    }
    assertThat(filesNow()).isZero();
    List<Row> found = little.query(text).list();
    assertThat(found).as(text).isEqualTo(expected);
    assertThat(filesNow()).isZero();
  }

  @Test
  void groupsAreTheSame() throws IOException {
    assertSame(
        "select name, count(*), sum(score), min(price), avg(score) from items group by name");
    assertSame("select number, city, max(name) from items group by number, city having number > 5");
    assertSame("select name, count(*) as n from items group by name order by n desc, name");
    assertSame("select price, score, count(*) from items group by price, score");
    assertSame("select mixed, name, count(*) from items group by mixed, name");
  }

  @Test
  void valuesThatCountOnceAreTheSame() throws IOException {
    assertSame("select kind, count(distinct name), sum(distinct score) from items group by kind");
    assertSame("select city, name, count(distinct price) from items group by city, name");
    assertThat(little.query("select count(distinct name), sum(distinct number) from items").list())
        .isEqualTo(
            much.query("select count(distinct name), sum(distinct number) from items").list());
  }

  /// What no bytes order is compared in memory.
  @Test
  void groupsByObjectsAreTheSame() throws IOException {
    assertSame("select tag, name, count(*), max(tag) from items group by tag, name");
    assertSame("select distinct tag, name from items");
  }

  @Test
  void distinctAndSortedAnswersAreTheSame() throws IOException {
    assertSame("select distinct name, score, kind from items");
    assertSame("select distinct name, score from items order by score desc, name");
    assertSame("select distinct name, price from items order by price nulls last, name limit 1500");
    assertSame(
        "select a.name, b.kind from items a join items b on id(b) = a.number"
            + " order by b.score, a.name desc limit 3000 offset 10");
  }
}
