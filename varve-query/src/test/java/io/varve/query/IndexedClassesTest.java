package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.UniqueIndexException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Indexes that classes ask for, indexes of documents, and sorts of more than memory holds.
class IndexedClassesTest {
  record Address(String city, String zip) {}

  record Person(
      @Indexed(unique = true) String mail,
      @Indexed(descending = true) int age,
      Address address,
      List<String> tags) {}

  private static final Entity<Person> PERSON = Entity.of(Person.class, MethodHandles.lookup());

  private static final QueryTable<String, Person> PEOPLE =
      QueryTable.of(
              Table.of(
                  "people",
                  Codec.string(),
                  Codec.record(Person.class, MethodHandles.lookup())
                      .with("tags", Codec.list(Codec.string()))
                      .with("address", Codec.record(Address.class, MethodHandles.lookup()))),
              PERSON)
          .index("address.city", "age")
          .index("tags");

  @Test
  void classesAskForIndexesByAnnotation() {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> people = PEOPLE.open(store);
      Person anna = new Person("anna@a", 30, new Address("Bonn", "1"), List.of("x", "y"));
      Person bert = new Person("bert@b", 20, new Address("Bonn", "2"), List.of("y"));
      people.map().put("anna", anna);
      people.map().put("bert", bert);
      assertThat(PEOPLE.indexes())
          .extracting(QueryIndex::name)
          .containsExactly("mail", "age desc", "address.city, age", "tags");
      assertThatThrownBy(() -> people.map().put("anne", anna))
          .isInstanceOf(UniqueIndexException.class);

      Found<String, Person> bonn = people.where(attribute("address.city").eq("Bonn"));
      assertThat(bonn.orderBy(attribute("age").asc()).list()).containsExactly(bert, anna);
      assertThat(bonn.explain()).contains("index address.city, age");
      assertThat(people.where(attribute("tags").contains("x")).keys().toList())
          .containsExactly("anna");
    }
  }

  @SuppressWarnings("unchecked") // mixed types compare
  private static Attribute<Person, Object> attribute(String path) {
    return (Attribute<Person, Object>) PERSON.attribute(path);
  }

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final Table<Long, JsonNode> DOCUMENTS =
      Table.of(
          "documents",
          Codec.int64(),
          Codec.of(
              node -> node.toString().getBytes(StandardCharsets.UTF_8),
              bytes -> JSON.readTree(bytes)));

  @Test
  void documentsAreFoundByPaths() {
    try (Store store = Store.inMemory()) {
      Entity<JsonNode> entity = Entity.documents("documents");
      Queryable<Long, JsonNode> documents =
          QueryTable.of(DOCUMENTS, entity).index("address.city").index("tags[]").open(store);
      documents
          .map()
          .put(1L, JSON.readTree("{\"address\":{\"city\":\"Bonn\"},\"tags\":[1,\"a\"]}"));
      documents.map().put(2L, JSON.readTree("{\"address\":{\"city\":7},\"tags\":[1.0]}"));
      documents.map().put(3L, JSON.readTree("{\"address\":{\"city\":{\"name\":\"Bonn\"}}}"));
      documents.map().put(4L, JSON.readTree("{}"));
      assertThat(found(documents, entity, "address.city", "Bonn")).containsExactly(1L);
      assertThat(found(documents, entity, "address.city", 7.0)).containsExactly(2L);
      assertThat(found(documents, entity, "tags[]", 1)).containsExactly(1L, 2L);
      assertThat(documents.where(entity.attribute("address.city").isNull()).keys().toList())
          .containsExactly(4L);
      assertThat(documents.where(entity.attribute("address.city").isNull()).explain())
          .contains("index address.city");
    }
  }

  @SuppressWarnings("unchecked") // documents have values of mixed types
  private static List<Long> found(
      Queryable<Long, JsonNode> documents, Entity<JsonNode> entity, String path, Object value) {
    Attribute<JsonNode, Object> attribute = (Attribute<JsonNode, Object>) entity.attribute(path);
    Found<Long, JsonNode> found = documents.where(attribute.eq(value));
    assertThat(found.explain()).contains("index " + path);
    return found.keys().toList();
  }

  private static final int MANY = 100_000;

  /// Sorts, and joins of unsorted keys, of more than their memory, with files that do not stay.
  @Test
  void largeAnswersAreSortedInFiles(@TempDir Path directory) {
    Table<Long, byte[]> table = Table.of("many", Codec.int64(), Codec.bytes());
    Attribute<byte[], Long> value =
        Attribute.of("value", Long.class, bytes -> Codec.int64().decode(bytes));
    Attribute<byte[], Long> half =
        Attribute.of("half", Long.class, bytes -> Codec.int64().decode(bytes) / 2);
    Entity<byte[]> entity = Entity.of("many", byte[].class, List.of(value, half));
    Random random = new Random(1);
    try (Store store = Store.inMemory()) {
      store.transact(tx -> {
        for (long key = 0; key < MANY; key++) {
          tx.open(table).put(key, Codec.int64().encode(random.nextLong(1_000_000)));
        }
      });
      Queryable<Long, byte[]> many =
          QueryTable.of(table, entity)
              .index("value")
              .index("half")
              .sortingWithin(1 << 18, directory)
              .open(store);
      Found<Long, byte[]> sorted = many.all().orderBy(value.desc()).using("");
      assertSorted(sorted, value);
      assertThat(sorted.profile()).doesNotContain("spilled bytes=0").contains("sorted=" + MANY);
      Condition<byte[]> either = value.lt(30_000L).or(half.gt(490_000L));
      Found<Long, byte[]> joined = many.where(either);
      assertThat(joined.explain()).contains("union");
      assertThat(joined.count()).isEqualTo(joined.using("").keys().count()).isPositive();
      assertThat(directory).isEmptyDirectory();
    }
  }

  private static void assertSorted(Found<Long, byte[]> sorted, Attribute<byte[], Long> value) {
    long last = Long.MAX_VALUE;
    int count = 0;
    try (Stream<byte[]> values = sorted.stream()) {
      for (byte[] bytes : (Iterable<byte[]>) values::iterator) {
        Object current = value.get(bytes);
        assertThat((Long) current).isLessThanOrEqualTo(last);
        last = (Long) current;
        count++;
      }
    }
    assertThat(count).isEqualTo(MANY);
  }
}
