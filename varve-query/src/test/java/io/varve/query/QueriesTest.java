package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Queries by text over a few rows that a reader can hold in mind.
class QueriesTest {
  private static final Table<String, Person> PEOPLE =
      Table.of("people", Codec.string(), JsonCodec.of(Person.class));
  private static final Table<String, JsonNode> CITIES =
      Table.of("cities", Codec.string(), JsonCodec.of(JsonNode.class));

  private Store store;
  private Queries queries;

  @BeforeEach
  void fill() {
    store = Store.inMemory();
    queries =
        Queries.of(store)
            .table(PEOPLE, Entity.of(Person.class))
            .table(CITIES, Entity.documents("City"))
            .withClock(Clock.fixed(Instant.parse("2026-05-01T10:00:00Z"), ZoneOffset.UTC));
    var people = store.open(PEOPLE);
    for (Person person :
        List.of(
            Person.of("1", "Ada", "Bonn", 36)
                .with(Person.Level.HIGH)
                .born(LocalDate.of(1990, 5, 1))
                .tagged("new", "vip"),
            Person.of("2", "Bob", "Bonn", 17).tagged("new").at("Elm Street", "53111"),
            Person.of("3", "Cy", "Kiel", null).born(LocalDate.of(2026, 5, 1)),
            Person.of("4", "Dora", null, 52)
                .ordering(new Person.Order("pen", 3, 1.5), new Person.Order("ink", 1, 9.25)),
            Person.of("5", "Ada", "Kiel", 36).with(Person.Level.LOW))) {
      people.put(person.id(), person);
    }
    var json = new JsonMapper();
    var cities = store.open(CITIES);
    cities.put("Bonn", json.readTree("{\"name\":\"Bonn\",\"size\":330000,\"rivers\":[\"Rhine\"]}"));
    cities.put("Kiel", json.readTree("{\"name\":\"Kiel\",\"size\":250000.5,\"sea\":true}"));
    cities.put(
        "Ulm", json.readTree("{\"name\":\"Ulm\",\"size\":null,\"rivers\":[\"Danube\",\"Iller\"]}"));
  }

  @AfterEach
  void close() {
    assertThat(store.verify().isSound()).isTrue();
    store.close();
  }

  private List<String> ids(String text, Object... parameters) {
    return queries.query(text).with(parameters).list(Person.class).stream()
        .map(Person::id)
        .toList();
  }

  private List<List<Object>> rows(String text, Object... parameters) {
    return queries.query(text).with(parameters).list().stream().map(Row::values).toList();
  }

  @Test
  void objectsAreFoundByTheirFields() {
    assertThat(ids("from people where city = 'Bonn' order by age limit 10"))
        .containsExactly("2", "1");
    assertThat(ids("FROM Person p WHERE p.city = ?1 AND p.age >= ?2", "Bonn", 18))
        .containsExactly("1");
    assertThat(ids("from people where age between 17 and 36")).containsExactly("1", "2", "5");
    assertThat(ids("from people where not age > 20")).containsExactly("2");
    assertThat(ids("from people where age is null or city is null")).containsExactly("3", "4");
    assertThat(ids("from people where name like '%d%' and name not like 'Dor_'"))
        .containsExactly("1", "5");
    assertThat(ids("from people where city in ('Kiel', 'Ulm')")).containsExactly("3", "5");
    assertThat(ids("from people where id in ?1", List.of("4", "2"))).containsExactly("2", "4");
    assertThat(ids("from people where age in ?1", Arrays.asList(17, null))).containsExactly("2");
    assertThat(ids("from people where age not in ?1", Arrays.asList(17, null))).isEmpty();
    assertThat(ids("from people where age not in ?1", List.of(17, 36L))).containsExactly("4");
    assertThat(ids("from people where age not in ?1", List.of())).hasSize(5);
    assertThat(ids("from people where ?1 in ?2", List.of("a"), List.of(List.of("a")))).hasSize(5);
    assertThat(ids("from people where age in ?1", (Object) new String[] {"17", "52"}))
        .containsExactly("2", "4");
    assertThat(ids("from people where id(this) > '3'")).containsExactly("4", "5");
    assertThat(ids("from people where address.zip = 53111")).containsExactly("2");
  }

  /// Guards against a union of ranges term by term, whose cost is the square of their number.
  @Test
  void anOrOfThousandsOfTermsIsOneSetOfRanges() {
    String others =
        IntStream.range(100, 6_100)
            .mapToObj(id -> "id(this) = '" + id + "'")
            .collect(Collectors.joining(" or "));
    assertThat(ids("from people where id(this) = '4' or " + others + " or id(this) = '2'"))
        .containsExactly("2", "4");
  }

  @Test
  void namesOfParametersAreSet() {
    Query byCity = queries.query("from people where city = :c and age < :a");
    assertThat(byCity.set("c", "Bonn").set("a", 20).list(Person.class)).hasSize(1);
    assertThat(byCity.set("c", "Bonn").set("a", 99).list(Person.class)).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> byCity.set("ab", 1))
        .withMessage("no such parameter: name=ab, nearest=a");
    assertThatIllegalArgumentException()
        .isThrownBy(byCity.set("c", "Bonn")::list)
        .withMessage("a parameter has no value: name=a; set it before the query runs");
    assertThatIllegalArgumentException()
        .isThrownBy(byCity.set("c", "Bonn").set("a", "young")::list)
        .withMessageContaining("a parameter does not fit: name=a");
  }

  @Test
  void literalsTakeTheTypeOfTheField() {
    assertThat(ids("from people where born = '1990-05-01'")).containsExactly("1");
    assertThat(ids("from people where born < ?1", "2000-01-01")).containsExactly("1");
    assertThat(ids("from people where level = HIGH")).containsExactly("1");
    assertThat(ids("from people where level in (Person.Level.LOW, 'HIGH')"))
        .containsExactly("1", "5");
    assertThat(ids("from people where MIDDLE <> level")).containsExactly("1", "5");
    assertThat(ids("from people where age = '36'")).containsExactly("1", "5");
    assertThat(ids("from people where born = local date")).containsExactly("3");
    assertThat(ids("from people where extract(year from born) = 1990")).containsExactly("1");
  }

  @Test
  void manyValuesAreLookedThrough() {
    assertThat(ids("from people where 'new' member of tags")).containsExactly("1", "2");
    assertThat(ids("from people where 'vip' not member of tags and tags is not empty"))
        .containsExactly("2");
    assertThat(ids("from people where size(tags) = 2")).containsExactly("1");
    assertThat(ids("from people p where exists (select o from p.orders o where o.price > 5)"))
        .containsExactly("4");
    assertThat(ids("from people where exists (from orders o where o.item = 'ink' and item > 'a')"))
        .containsExactly("4");
    assertThat(ids("from people where exists (from orders where quantity > 2 and price > 5)"))
        .isEmpty();
    assertThat(ids("from people where exists (from tags t where t like 'v%' and name = 'Ada')"))
        .containsExactly("1");
    assertThat(rows("select p.name, o.item from people p join p.orders o order by o.item"))
        .containsExactly(List.of("Dora", "ink"), List.of("Dora", "pen"));
  }

  @Test
  void columnsAreComputed() {
    List<Row> rows =
        queries
            .query("select name as n, age * 2 + 1, upper(city) || '!' from people where age < 40")
            .list();
    assertThat(rows.getFirst().columns()).containsExactly("n", "age * 2 + 1", "upper(city) || '!'");
    assertThat(rows.getFirst().get("N")).isEqualTo("Ada");
    assertThat(rows).extracting(row -> row.get(1)).containsExactly(73L, 35L, 73L);
    assertThat(
            queries.query("select distinct name from people order by name desc").list(String.class))
        .containsExactly("Dora", "Cy", "Bob", "Ada");
    assertThat(
            rows(
                "select case when age < 18 then 'minor' when age is null then '?' else 'adult' end"
                    + " from people where city is not null"))
        .containsExactly(List.of("adult"), List.of("minor"), List.of("?"), List.of("adult"));
  }

  @Test
  void groupsAreCountedAndSummed() {
    assertThat(
            rows(
                "select city, count(*), sum(age), avg(age), min(name), max(age) from people group"
                    + " by city"))
        .containsExactly(
            Arrays.asList(null, 1L, 52L, 52.0, "Dora", 52L),
            List.of("Bonn", 2L, 53L, 26.5, "Ada", 36L),
            List.of("Kiel", 2L, 36L, 36.0, "Ada", 36L));
    assertThat(rows("select name, count(age) as n from people group by name having count(*) > 1"))
        .containsExactly(List.of("Ada", 2L));
    assertThat(
            rows(
                "select city, count(*) as n from people group by city order by n desc, city limit"
                    + " 1"))
        .containsExactly(List.of("Bonn", 2L));
    assertThat(queries.query("select count(p) from people p").list(Long.class)).containsExactly(5L);
    assertThat(rows("select count(distinct name), sum(age) from people where id > '9'"))
        .containsExactly(Arrays.asList(0L, null));
  }

  @Test
  void answersComeInOrderAndInParts() {
    assertThat(ids("from people order by name, id desc")).containsExactly("5", "1", "2", "3", "4");
    assertThat(ids("from people order by age desc, id limit 2 offset 1")).containsExactly("1", "5");
    assertThat(ids("from people order by age")).containsExactly("3", "2", "1", "5", "4");
    assertThat(ids("from people order by age nulls last")).containsExactly("2", "1", "5", "4", "3");
    assertThat(ids("from people order by length(name), name limit ?1 offset ?2", 2, 1))
        .containsExactly("1", "5");
    assertThat(ids("from people offset 3")).containsExactly("4", "5");
    assertThat(ids("from people limit 0")).isEmpty();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anOffsetAfterTheLastRowEndsTheAnswer() {
    assertThat(ids("from people offset 9223372036854775807")).isEmpty();
    assertThat(ids("from people order by age limit 1 offset 9223372036854775806")).isEmpty();
  }

  @Test
  void tablesAreJoinedByKeyAndByField() {
    assertThat(
            rows(
                "select p.name, c.size from people p join cities c on id(c) = p.city"
                    + " where c.size > 300000 order by p.name"))
        .containsExactly(List.of("Ada", 330000L), List.of("Bob", 330000L));
    assertThat(
            rows(
                "select id(p), c.name from people p left join cities c on c.name = p.city"
                    + " and c.sea = true order by id(p)"))
        .extracting(row -> row.get(1) == null)
        .containsExactly(true, true, false, true, false);
    assertThat(rows("select count(*) from people p, cities c where p.city = c.name"))
        .containsExactly(List.of(4L));
    assertThat(
            rows(
                "select c.name, count(p) as n from cities c left join people p on p.city = c.name"
                    + " group by c.name order by n desc, c.name"))
        .containsExactly(List.of("Bonn", 2L), List.of("Kiel", 2L), List.of("Ulm", 0L));
  }

  /// The lines that the guide begins with.
  @Test
  void theFirstLinesOfTheGuideRun(@TempDir Path directory) {
    record Person(@Key String id, String name, String city, Integer age, List<String> tags) {}

    Table<String, Person> people = Table.of("people", Codec.string(), JsonCodec.of(Person.class));
    try (Store durable = Store.open(directory)) {
      durable.open(people).put("1", new Person("1", "Ada", "Bonn", 36, List.of("new")));
      Queries asked = Queries.of(durable).table(people, Entity.of(Person.class));
      Query query = asked.query("from people where city = :c order by age limit 10");
      List<Person> found = query.set("c", "Bonn").list(Person.class);
      assertThat(found).extracting(Person::name).containsExactly("Ada");
    }
  }

  @Test
  void documentsAreFoundByAnyPath() {
    assertThat(rows("select id(this) from cities where size = 250000.5"))
        .containsExactly(List.of("Kiel"));
    assertThat(rows("select key(c) from cities c where 'Iller' member of c.rivers"))
        .containsExactly(List.of("Ulm"));
    assertThat(rows("select id(this) from cities where rivers[] is empty"))
        .containsExactly(List.of("Kiel"));
    assertThat(rows("select cities.name from cities where cities.sea"))
        .containsExactly(List.of("Kiel"));
    assertThat(rows("select id(this) from cities where size is null"))
        .containsExactly(List.of("Ulm"));
    assertThat(rows("select id(this) from cities order by size desc"))
        .containsExactly(List.of("Bonn"), List.of("Kiel"), List.of("Ulm"));
  }

  @Test
  void elementsThatAreNoDocumentsHaveNoAttributes() {
    store
        .open(CITIES)
        .put("x", new JsonMapper().readTree("{\"rivers\":[\"Ems\",{\"name\":\"Aa\",\"by\":[1]}]}"));
    assertThat(rows("select id(this) from cities where exists (from rivers r where r.name = 'Aa')"))
        .containsExactly(List.of("x"));
    assertThat(
            rows("select r.name from cities c join c.rivers r where id(c) = 'x' order by r.name"))
        .containsExactly(Arrays.asList((Object) null), List.of("Aa"));
    assertThat(
            rows("select id(this) from cities where exists (from rivers r where 1 member of r.by)"))
        .containsExactly(List.of("x"));
    assertThat(rows("select count(*) from cities where exists (from rivers where name is null)"))
        .containsExactly(List.of(3L));
  }

  @Test
  void elementsOfAnArrayAreNotSet() {
    for (String path : List.of("rivers[]", "rivers[].name", "at.\"rivers[]\"")) {
      String text = "update cities set " + path + " = 0";
      QueryException e = catchThrowableOfType(QueryException.class, () -> queries.query(text));
      assertThat(e).as(text).hasMessageStartingWith("elements of an array cannot be set");
      assertThat(e.column()).isEqualTo(19);
    }
    JsonNode city = store.open(CITIES).get("Bonn");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Entity.documents("City").with(city, Map.of("rivers[].name", 0)))
        .withMessageContaining("path=rivers[].name");
    assertThat(queries.query("update cities set rivers = null").update()).isEqualTo(3);
  }

  @Test
  void plansAreExplained() {
    assertThat(queries.query("from people where age > :a order by name").set("a", 3).explain())
        .isEqualTo("all rows, sorted");
    assertThat(
            queries
                .query(
                    "select distinct c.name from people p join cities c on id(c) = p.city"
                        + " where p.age > 20 order by c.name")
                .explain())
        .isEqualTo(
            "people where age > ?\n"
                + "all rows\n"
                + "join cities where id(this) = city\n"
                + "all rows\n"
                + "distinct answers, within the memory of sorts\n"
                + "sorted, within the memory of sorts");
    assertThat(queries.query("delete from people where name = 'x'").explain())
        .isEqualTo("all rows");
  }

  @Test
  void joinsUseIndexes() {
    var indexed =
        QueryTable.of(PEOPLE, Entity.of(Person.class))
            .index("city", "age")
            .index("tags")
            .open(store);
    Queries byIndex = Queries.of(store).table(indexed).table(CITIES, Entity.documents("City"));
    Query join =
        byIndex
            .query(
                "select c.name, p.name from cities c join people p on p.city = c.name"
                    + " where c.sea and c.size = :size order by c.name")
            .set("size", 250000.5);
    assertThat(join.list())
        .extracting(Row::values)
        .containsExactlyInAnyOrder(List.of("Kiel", "Cy"), List.of("Kiel", "Ada"));
    assertThat(join.explain())
        .as(join.explain())
        .contains("join people where city = name", "index city, age");
    String member = byIndex.query("from people where 'vip' member of tags limit 3").explain();
    assertThat(member).as(member).contains("index tags");
    String byId = byIndex.query("from people where id = '3'").explain();
    assertThat(byId).contains("keys: ranges=1, rows=1");
  }

  @Test
  void rowsAreChangedInOneTransaction() {
    Query older =
        queries.query("update people set age = age + ?1, city = 'Ulm' where city = 'Bonn'");
    assertThat(older.isChange()).isTrue();
    assertThat(older.set(1, 1).update()).isEqualTo(2);
    assertThat(ids("from people where city = 'Ulm' and age in (37, 18)")).containsExactly("1", "2");
    store.transact(tx -> {
      assertThat(queries.query("delete from people where age > 40").in(tx).update()).isEqualTo(1);
      assertThat(queries.query("select count(*) from people").in(tx).list(Long.class))
          .containsExactly(4L);
    });
    assertThat(
            queries
                .query("update cities set size = 1, at.lake = 'x' where id(this) = 'Ulm'")
                .update())
        .isEqualTo(1);
    assertThat(store.open(CITIES).get("Ulm").toString()).contains("\"size\":1", "\"lake\":\"x\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queries.query("update people set active = null").update())
        .withMessageContaining("attribute=active");
  }

  @Test
  void aSnapshotIsReadAsItWas() {
    try (var snapshot = store.snapshot()) {
      queries.query("delete from people").update();
      assertThat(queries.query("from people").in(snapshot).list()).hasSize(5);
      assertThat(queries.query("from people").list()).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> queries.query("delete from people").in(snapshot).update());
    }
    try (Stream<Row> rows = queries.query("from cities").stream()) {
      assertThat(rows.limit(1)).hasSize(1);
    }
  }

  @Test
  void aStreamThatIsRefusedKeepsNoSnapshotOpen() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queries.query("select name, age from people").stream(String.class))
        .withMessageContaining("columns=[name, age]");
    assertThat(store.statistics().snapshots().open()).isEmpty();
  }

  @Test
  void queriesHaveNames(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("queries.txt");
    Files.writeString(
        file, "-- name: byCity\nfrom people\nwhere city = :c\n-- name: all\nfrom people\n");
    queries.nameAll(file);
    assertThat(queries.named("byCity").set("c", "Bonn").list()).hasSize(2);
    assertThat(queries.named("all").list()).hasSize(5);
    queries.save("adults", "from people where age >= 18");
    Queries others = Queries.of(store).table(PEOPLE, Entity.of(Person.class));
    assertThat(others.named("adults").list()).hasSize(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> others.named("adult"))
        .withMessage("no query of that name: name=adult, nearest=adults");
    assertThatIllegalArgumentException().isThrownBy(() -> others.name("bad", "from nothing"));
  }
}
