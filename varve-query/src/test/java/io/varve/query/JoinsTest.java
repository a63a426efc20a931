package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Joins by a hash table, in memory and beyond it, give what loops over the rows give.
class JoinsTest {
  private static final long SEED = Long.getLong("varve.seed", 2026);
  private static final int ROWS = Integer.getInteger("varve.query.joined", 1500);
  private static final int LITTLE_BYTES = 64 << 10;

  /// No form of bytes has its order.
  record Tag(int number) implements Comparable<Tag> {
    @Override
    public int compareTo(Tag other) {
      return Integer.compare(number, other.number);
    }
  }

  /// Few different values, of numbers as many types.
  record Item(
      int number,
      @Nullable Integer group,
      @Nullable Double half,
      @Nullable Object mixed,
      Tag tag,
      String text) {
    static Item of(int number) {
      Random random = new Random(SEED * 31 + number);
      int group = random.nextInt(60);
      return new Item(
          number,
          random.nextInt(6) == 0 ? null : group,
          random.nextInt(6) == 0 ? null : group / 2.0,
          mixed(random),
          new Tag(random.nextInt(200)),
          "text " + number);
    }

    private static @Nullable Object mixed(Random random) {
      int number = random.nextInt(80);
      return switch (random.nextInt(7)) {
        case 0 -> null;
        case 1 -> number;
        case 2 -> (double) number;
        case 3 -> new BigDecimal(number).setScale(3);
        case 4 -> new Tag(number);
        case 5 -> List.of(number, "x");
        default -> "number " + number;
      };
    }
  }

  private static Table<Integer, Item> table(String name) {
    return Table.of(
        name,
        Codec.int32(),
        Codec.of(
            item -> Codec.int32().encode(item.number()),
            bytes -> Item.of(Codec.int32().decode(bytes))));
  }

  private static final Table<Integer, Item> LEFT = table("l");
  private static final Table<Integer, Item> RIGHT = table("r");

  @TempDir private Path files;
  private final Store store = Store.inMemory();
  private final List<Item> left = new ArrayList<>();
  private final List<Item> right = new ArrayList<>();

  @BeforeEach
  void fill() {
    store.transact(tx -> {
      for (int number = 0; number < ROWS; number++) {
        List<Item> list = number % 3 == 0 ? left : right;
        list.add(Item.of(number));
        tx.open(number % 3 == 0 ? LEFT : RIGHT).put(number, Item.of(number));
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

  /// With much memory, with little, and without any definition of a table.
  private List<Queries> ways() {
    Entity<Item> entity = Entity.of(Item.class);
    return List.of(
        within(1 << 30),
        within(LITTLE_BYTES),
        Queries.of(store).table(LEFT, entity).table(RIGHT, entity));
  }

  private Queries within(long bytes) {
    Entity<Item> entity = Entity.of(Item.class);
    return Queries.of(store)
        .table(QueryTable.of(LEFT, entity).sortingWithin(bytes, files).open(store))
        .table(QueryTable.of(RIGHT, entity).sortingWithin(bytes, files).open(store));
  }

  private interface Pairing {
    boolean isPair(Item left, Item right);
  }

  private static boolean isEqual(@Nullable Object a, @Nullable Object b) {
    return a != null && b != null && Values.compare(a, b) == 0;
  }

  /// All pairs in the order of both tables, compared one by one.
  private List<String> pairs(boolean isLeftJoin, Pairing pairing) {
    List<String> pairs = new ArrayList<>();
    for (Item one : left) {
      boolean isAlone = true;
      for (Item other : right) {
        if (pairing.isPair(one, other)) {
          pairs.add("[%d, %d]".formatted(one.number(), other.number()));
          isAlone = false;
        }
      }
      if (isAlone && isLeftJoin) {
        pairs.add("[%d, -1]".formatted(one.number()));
      }
    }
    return pairs;
  }

  private static List<String> texts(Query query) {
    return query.list().stream().map(row -> row.values().toString()).toList();
  }

  private void assertPairs(String join, boolean isLeftJoin, Pairing pairing) {
    List<String> expected = pairs(isLeftJoin, pairing);
    assertThat(expected).hasSizeGreaterThan(ROWS / 10);
    String text = "select a.number, coalesce(b.number, -1) from l a " + join;
    for (Queries way : ways()) {
      Query query = way.query(text);
      assertThat(query.explain()).as(text).contains("by a hash table of");
      assertThat(texts(query)).as(text).isEqualTo(expected);
      store.transact(tx -> {
        assertThat(texts(query.in(tx))).as(text).isEqualTo(expected);
      });
    }
  }

  @Test
  void equalValuesMeetInTheOrderOfBothTables() {
    assertPairs("join r b on b.group = a.group", false, (a, b) -> isEqual(a.group(), b.group()));
    assertPairs(
        "left join r b on a.group = b.group", true, (a, b) -> isEqual(a.group(), b.group()));
    assertPairs("join r b on b.mixed = a.mixed", false, (a, b) -> isEqual(a.mixed(), b.mixed()));
    assertPairs(
        "left join r b on b.mixed = a.mixed", true, (a, b) -> isEqual(a.mixed(), b.mixed()));
    assertPairs("join r b on b.tag = a.tag", false, (a, b) -> isEqual(a.tag(), b.tag()));
  }

  @Test
  void numbersOfAllTypesMeet() {
    assertPairs("join r b on b.mixed = a.half", false, (a, b) -> isEqual(a.half(), b.mixed()));
    assertPairs(
        "join r b on a.group = b.half * 2",
        false,
        (a, b) -> isEqual(a.group(), b.half() == null ? null : b.half() * 2));
  }

  @Test
  void conditionsThatStateNoEqualityAreAsked() {
    assertPairs(
        "join r b on b.group = a.group and b.number > a.number and b.number % 2 = 0",
        false,
        (a, b) -> isEqual(a.group(), b.group()) && b.number() > a.number() && b.number() % 2 == 0);
    assertPairs(
        "left join r b on b.group = a.group and b.half = a.half and a.number < 300",
        true,
        (a, b) -> isEqual(a.group(), b.group()) && isEqual(a.half(), b.half()) && a.number() < 300);
  }

  @Test
  void moreThanTheMemoryIsInAFileUntilTheEnd() throws IOException {
    Query query =
        within(LITTLE_BYTES).query("select b.text from l a join r b on b.group = a.group");
    try (Stream<Row> rows = query.stream()) {
      Iterator<Row> each = rows.iterator();
      assertThat(each.next().values()).hasSize(1);
      assertThat(filesNow()).as("an answer that ends here reads no table whole").isZero();
      while (filesNow() == 0) {
        each.next();
      }
      assertThat(filesNow()).isEqualTo(1);
    }
    assertThat(filesNow()).isZero();
    try (Stream<Row> rows = query.stream()) {
      assertThat(rows.count()).isPositive();
    }
    assertThat(filesNow()).isZero();
  }

  /// A condition that fails half-way leaves no file.
  @Test
  void aFailureLeavesNoFile() throws IOException {
    Query query =
        within(LITTLE_BYTES)
            .query(
                "select b.text from l a join r b on b.group = a.group and cast(b.text as integer) ="
                    + " 1");
    try (Stream<Row> rows = query.stream()) {
      assertThat(org.assertj.core.api.Assertions.catchThrowable(rows::count)).isNotNull();
    }
    assertThat(filesNow()).isZero();
  }

  @Test
  void threeTablesAreJoined() {
    String text =
        "select a.number, b.number, coalesce(c.number, -1) from l a join r b on b.group = a.group"
            + " left join l c on c.half = b.half and c.number < a.number where b.number < 200";
    List<String> expected = new ArrayList<>();
    for (Item a : left) {
      for (Item b : right) {
        if (isEqual(a.group(), b.group()) && b.number() < 200) {
          List<Item> found =
              left.stream()
                  .filter(c -> isEqual(c.half(), b.half()) && c.number() < a.number())
                  .toList();
          found.forEach(c -> expected.add(List.of(a.number(), b.number(), c.number()).toString()));
          if (found.isEmpty()) {
            expected.add(List.of(a.number(), b.number(), -1).toString());
          }
        }
      }
    }
    for (Queries way : ways()) {
      assertThat(texts(way.query(text))).isEqualTo(expected);
    }
  }

  /// An index is asked where that reads less, and where rows that are read may be conflicts.
  @Test
  void loopsUseTheIndexWhereTheyReadLess() {
    Entity<Item> entity = Entity.of(Item.class);
    Queries indexed =
        Queries.of(store)
            .table(QueryTable.of(LEFT, entity).open(store))
            .table(QueryTable.of(RIGHT, entity).index("group").open(store));
    String all = "select b.number from l a join r b on b.group = a.group";
    Query query = indexed.query(all);
    assertThat(query.explain())
        .contains("index group: ranges=1", "loops:\nby a hash table of group: rows=");
    assertThat(texts(query)).isEqualTo(texts(within(1 << 30).query(all)));
    assertThat(indexed.query(all + " where id(a) < 20").explain())
        .contains("index group")
        .doesNotContain("hash");
    store.transact(tx ->
        assertThat(indexed.query(all).in(tx).explain())
            .doesNotContain("hash")
            .contains("index group"));
  }

  /// The objects of maps are those that the map has.
  @Test
  void objectsOfMapsAreJoined() throws IOException {
    var objects = new ConcurrentSkipListMap<Integer, Object>();
    var ofLeft =
        QueryTable.ofObjects("l", Codec.int32(), Entity.of(Item.class))
            .sortingWithin(LITTLE_BYTES, files);
    try (Store other = Store.inMemory()) {
      var map = QueryMap.over(objects, other, ofLeft);
      left.forEach(item -> map.put(item.number(), item));
      Query query =
          map.table(ofLeft).queries().query("select a, b from l a join l b on b.group = a.group");
      assertThat(query.explain()).contains("by a hash table of");
      List<List<Object>> expected = new ArrayList<>();
      for (Item a : left) {
        left.stream()
            .filter(b -> isEqual(a.group(), b.group()))
            .forEach(b -> expected.add(List.of(a, b)));
      }
      assertThat(query.list()).extracting(Row::values).isEqualTo(expected);
      assertThat(query.list().getFirst().values().getLast())
          .isSameAs(objects.get(((Item) query.list().getFirst().values().getLast()).number()));
    }
    assertThat(filesNow()).isZero();
  }

  /// Documents have values of any type, and may lack them.
  @Test
  void documentsAreJoined() {
    var documents =
        Table.of("d", Codec.string(), JsonCodec.of(tools.jackson.databind.JsonNode.class));
    try (Store other = Store.inMemory()) {
      var mapper = new tools.jackson.databind.json.JsonMapper();
      for (int number = 0; number < 90; number++) {
        String value = List.of("1", "1.0", "\"1\"", "null", "true", "{\"x\":1}").get(number % 6);
        String text = number % 7 == 0 ? "{}" : "{\"v\":" + value + "}";
        other.open(documents).put("k" + number, mapper.readTree(text));
      }
      Queries queries = Queries.of(other).table(documents, Entity.documents("D"));
      Query joined = queries.query("select count(*) from d a join d b on b.v = a.v");
      Query compared =
          queries.query("select count(*) from d a join d b on b.v >= a.v and b.v <= a.v");
      assertThat(joined.explain()).contains("by a hash table of v");
      assertThat(compared.explain()).doesNotContain("hash");
      assertThat(joined.list()).isEqualTo(compared.list());
      assertThat((Long) joined.list().getFirst().values().getFirst()).isGreaterThan(900);
    }
  }
}
