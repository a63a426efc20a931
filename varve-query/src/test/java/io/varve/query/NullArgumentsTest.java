package io.varve.query;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.json.JsonCodec;
import java.time.Clock;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// An argument that may not be null is named.
@SuppressWarnings("NullAway") // null is what is refused
class NullArgumentsTest {
  private record Person(@Key String id, int age) {}

  private static final Table<String, Person> PEOPLE =
      Table.of("people", Codec.string(), JsonCodec.of(Person.class));
  private static final Entity<Person> PERSON = Entity.of(Person.class);
  private static final String ALL = "select age from people";

  private static void requireNamed(String argument, ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call).withMessageStartingWith(argument);
  }

  @Test
  void argumentsOfQueriesAreNamed() {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> people = QueryTable.of(PEOPLE, PERSON).open(store);
      Queries queries = Queries.of(store).table(people);
      requireNamed("store", () -> Queries.of(null));
      requireNamed("table", () -> queries.table(null, PERSON));
      requireNamed("entity", () -> queries.table(PEOPLE, null));
      requireNamed("other", () -> queries.withClock(null));
      requireNamed("text", () -> queries.query(null));
      requireNamed("text", () -> queries.name("all", null));
      requireNamed("name", () -> queries.name(null, ALL));
      requireNamed("text", () -> queries.save("all", null));
      requireNamed("name", () -> queries.save(null, ALL));
      requireNamed("name", () -> queries.named(null));
      requireNamed("file", () -> queries.nameAll(null));

      Query query = queries.withClock(Clock.systemUTC()).query(ALL + " where age = ?1");
      requireNamed("name", () -> query.set(null, 1));
      requireNamed("values", () -> query.with((Object[]) null));
      requireNamed("of", () -> query.in(null));
      Query bound = query.with((Object) null);
      requireNamed("type", () -> bound.list((Class<?>) null));
      requireNamed("type", () -> bound.first(null));
      requireNamed("type", () -> bound.stream(null));

      people.map().put("1", new Person("1", 36));
      requireNamed("column", () -> queries.query(ALL).list().getFirst().get(null));
      requireNamed("token", () -> people.all().after(null));
      requireNamed("index", () -> people.all().using(null));
    }
  }

  @Test
  void argumentsOfAttributesAndIndexesAreNamed() {
    Attribute<Person, Integer> age = Attribute.of("age", Integer.class, Person::age);
    requireNamed("path", () -> Attribute.of(null, Integer.class, Person::age));
    requireNamed("type", () -> Attribute.of("age", null, Person::age));
    requireNamed("getter", () -> Attribute.of("age", Integer.class, null));
    requireNamed("value", () -> age.eq(null));
    requireNamed("values", () -> age.in(null));
    requireNamed("others", () -> age.in(1, 2, (Integer[]) null));
    requireNamed("value", () -> age.like(null));
    requireNamed("type", () -> Entity.of(null));
    requireNamed("lookup", () -> Entity.of(Person.class, null));
    requireNamed("name", () -> Entity.of(null, Person.class, List.of(age)));
    requireNamed("type", () -> Entity.of("person", null, List.of(age)));
    requireNamed("attributes", () -> Entity.of("person", Person.class, null));
    requireNamed("name", () -> Entity.documents(null));
    requireNamed("path", () -> PERSON.find(null));
    requireNamed("path", () -> PERSON.attribute(null));
    requireNamed("path", () -> PERSON.nearest(null));

    QueryTable<String, Person> people = QueryTable.of(PEOPLE, PERSON);
    requireNamed("table", () -> QueryTable.of(null, PERSON));
    requireNamed("entity", () -> QueryTable.of(PEOPLE, null));
    requireNamed("parts", () -> people.index((String[]) null));
    requireNamed("part", () -> people.index("age", null));
    requireNamed("index", () -> people.index((QueryIndex<Person>) null));
  }
}
