package io.varve.bench.people;

import io.varve.Codec;
import io.varve.Durability;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.Table;
import io.varve.query.Attribute;
import io.varve.query.Condition;
import io.varve.query.Entity;
import io.varve.query.Queries;
import io.varve.query.Query;
import io.varve.query.QueryTable;
import io.varve.query.Queryable;
import io.varve.query.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Persons in a table with indexes.
final class VarvePeople implements People {
  private static final Attribute<Person, String> EMAIL =
      Attribute.of("email", String.class, Person::email);
  private static final Attribute<Person, String> CITY =
      Attribute.of("city", String.class, Person::city);
  private static final Attribute<Person, String> COUNTRY =
      Attribute.of("country", String.class, Person::country);
  private static final Attribute<Person, Integer> AGE =
      Attribute.of("age", Integer.class, Person::age);
  private static final Attribute<Person, Integer> SALARY =
      Attribute.of("salary", Integer.class, Person::salary);
  private static final int LOADED_TOGETHER = 1000;

  private final Store store;
  private final QueryTable<Long, Person> table;
  private Queryable<Long, Person> people;

  /// @param indexes how many of the five are kept from the start
  VarvePeople(Path directory, long cacheBytes, int indexes) {
    store = Store.open(directory, StoreOptions.defaults().cacheBytes(cacheBytes));
    Table<Long, Person> plain = Table.of("people", Codec.int64(), Codec.record(Person.class));
    QueryTable<Long, Person> all =
        QueryTable.of(
            plain, Entity.of("Person", Person.class, List.of(EMAIL, CITY, COUNTRY, AGE, SALARY)));
    QueryTable<Long, Person> some = all;
    List<String> names = List.of("email", "city", "country", "age", "salary");
    for (String name : names.subList(0, indexes)) {
      some = name.equals("email") ? some.uniqueIndex(name) : some.index(name);
    }
    for (String name : names) {
      all = name.equals("email") ? all.uniqueIndex(name) : all.index(name);
    }
    table = all;
    people = some.open(store);
  }

  @Override
  public void load(int count) {
    OrderedMap<Long, Person> map = people.map();
    for (int i = 0; i < count; i += LOADED_TOGETHER) {
      int from = i;
      store.transact(
          Durability.BACKGROUND,
          tx -> {
            OrderedMap<Long, Person> within = tx.open(table.table());
            for (int j = from; j < Math.min(count, from + LOADED_TOGETHER); j++) {
              within.put((long) j, Person.of(j, count));
            }
          });
    }
    people = table.open(store);
    store.checkpoint();
    if (map.size() != count) {
      throw new IllegalStateException("persons are missing");
    }
  }

  @Override
  public Asking asking() {
    return new Typed(people, Queries.of(store).table(people));
  }

  @Override
  public void close() {
    store.close();
  }

  private record Typed(Queryable<Long, Person> people, Queries queries) implements Asking {
    private static long sum(Stream<Person> found) {
      try (found) {
        return found.mapToLong(Person::id).sum();
      }
    }

    private long sum(Condition<Person> condition) {
      return sum(people.where(condition).stream());
    }

    @Override
    public long byEmail(String email) {
      return sum(EMAIL.eq(email));
    }

    @Override
    public long byEmailAsText(String email) {
      Query query = queries.query("from people where email = :email").set("email", email);
      try (Stream<Row> found = query.stream()) {
        return found.mapToLong(row -> row.get(0) instanceof Person person ? person.id() : 0).sum();
      }
    }

    @Override
    public long inCity(String city) {
      return sum(CITY.eq(city));
    }

    @Override
    public long withSalary(int from, int to) {
      return sum(SALARY.between(from, to));
    }

    @Override
    public long inCountryAged(String country, int from, int to) {
      return sum(COUNTRY.eq(country).and(AGE.between(from, to)));
    }

    @Override
    public long byEmails(List<String> emails) {
      return sum(EMAIL.in(emails));
    }

    @Override
    public long topEarners(int age) {
      return sum(people.where(AGE.eq(age)).orderBy(SALARY.desc()).limit(10).stream());
    }

    @Override
    public long countWithSalary(int from, int to) {
      return people.where(SALARY.between(from, to)).count();
    }

    @Override
    public void insert(Person person) {
      people.map().put(person.id(), person);
    }

    @Override
    public void close() {}
  }
}
