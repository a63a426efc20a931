package io.varve.bench.people;

import static com.googlecode.cqengine.query.QueryFactory.and;
import static com.googlecode.cqengine.query.QueryFactory.attribute;
import static com.googlecode.cqengine.query.QueryFactory.between;
import static com.googlecode.cqengine.query.QueryFactory.descending;
import static com.googlecode.cqengine.query.QueryFactory.equal;
import static com.googlecode.cqengine.query.QueryFactory.in;
import static com.googlecode.cqengine.query.QueryFactory.orderBy;
import static com.googlecode.cqengine.query.QueryFactory.queryOptions;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import com.googlecode.cqengine.IndexedCollection;
import com.googlecode.cqengine.attribute.SimpleAttribute;
import com.googlecode.cqengine.attribute.support.SimpleFunction;
import com.googlecode.cqengine.index.Index;
import com.googlecode.cqengine.index.disk.DiskIndex;
import com.googlecode.cqengine.index.hash.HashIndex;
import com.googlecode.cqengine.index.navigable.NavigableIndex;
import com.googlecode.cqengine.index.unique.UniqueIndex;
import com.googlecode.cqengine.persistence.disk.DiskPersistence;
import com.googlecode.cqengine.query.Query;
import com.googlecode.cqengine.resultset.ResultSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Persons in a collection of CQEngine: the objects as they are on the heap, or on disk, where it
/// keeps them in SQLite.
final class CqPeople implements People {
  private static final int LOADED_TOGETHER = 1000;
  private static final int TOP = 10;
  private static final SimpleAttribute<Person, Long> ID = field(Long.class, "id", Person::id);
  private static final SimpleAttribute<Person, String> EMAIL =
      field(String.class, "email", Person::email);
  private static final SimpleAttribute<Person, String> CITY =
      field(String.class, "city", Person::city);
  private static final SimpleAttribute<Person, String> COUNTRY =
      field(String.class, "country", Person::country);
  private static final SimpleAttribute<Person, Integer> AGE =
      field(Integer.class, "age", Person::age);
  private static final SimpleAttribute<Person, Integer> SALARY =
      field(Integer.class, "salary", Person::salary);

  private static <A> SimpleAttribute<Person, A> field(
      Class<A> type, String name, SimpleFunction<Person, A> getter) {
    return attribute(Person.class, type, name, getter);
  }

  private final IndexedCollection<Person> persons;
  private final List<? extends Index<Person>> indexes;
  private final int indexesAtFirst;

  private CqPeople(
      IndexedCollection<Person> persons, List<? extends Index<Person>> indexes, int atFirst) {
    this.persons = persons;
    this.indexes = indexes;
    this.indexesAtFirst = atFirst;
    indexes.subList(0, atFirst).forEach(persons::addIndex);
  }

  /// Objects on the heap.
  ///
  /// @param indexes how many of the five are kept from the start
  static CqPeople onHeap(int indexes) {
    return new CqPeople(
        new ConcurrentIndexedCollection<>(),
        List.of(
            UniqueIndex.onAttribute(EMAIL),
            HashIndex.onAttribute(CITY),
            HashIndex.onAttribute(COUNTRY),
            NavigableIndex.onAttribute(AGE),
            NavigableIndex.onAttribute(SALARY)),
        indexes);
  }

  /// Objects in a file, by [PersonBytes].
  static CqPeople onDisk(Path directory, int indexes) {
    Path file = directory.resolve("people.cqengine");
    return new CqPeople(
        new ConcurrentIndexedCollection<>(DiskPersistence.onPrimaryKeyInFile(ID, file.toFile())),
        List.of(
            DiskIndex.onAttribute(EMAIL),
            DiskIndex.onAttribute(CITY),
            DiskIndex.onAttribute(COUNTRY),
            DiskIndex.onAttribute(AGE),
            DiskIndex.onAttribute(SALARY)),
        indexes);
  }

  @Override
  public void load(int count) {
    for (int from = 0; from < count; from += LOADED_TOGETHER) {
      persons.addAll(
          IntStream.range(from, Math.min(count, from + LOADED_TOGETHER))
              .mapToObj(number -> Person.of(number, count))
              .toList());
    }
    indexes.subList(indexesAtFirst, indexes.size()).forEach(persons::addIndex);
  }

  @Override
  public Asking asking() {
    return new Typed(persons);
  }

  @Override
  public void close() {}

  private record Typed(IndexedCollection<Person> persons) implements Asking {
    private long sum(Query<Person> query) {
      try (ResultSet<Person> found = persons.retrieve(query)) {
        long sum = 0;
        for (Person person : found) {
          sum += person.id();
        }
        return sum;
      }
    }

    @Override
    public long byEmail(String email) {
      return sum(equal(EMAIL, email));
    }

    @Override
    public long inCity(String city) {
      return sum(equal(CITY, city));
    }

    @Override
    public long withSalary(int from, int to) {
      return sum(between(SALARY, from, to));
    }

    @Override
    public long inCountryAged(String country, int from, int to) {
      return sum(and(equal(COUNTRY, country), between(AGE, from, to)));
    }

    @Override
    public long byEmails(List<String> emails) {
      return sum(in(EMAIL, new ArrayList<>(emails)));
    }

    @Override
    public long topEarners(int age) {
      try (ResultSet<Person> found =
          persons.retrieve(equal(AGE, age), queryOptions(orderBy(descending(SALARY))))) {
        return found.stream().limit(TOP).mapToLong(Person::id).sum();
      }
    }

    @Override
    public long countWithSalary(int from, int to) {
      try (ResultSet<Person> found = persons.retrieve(between(SALARY, from, to))) {
        return found.size();
      }
    }

    @Override
    public void insert(Person person) {
      persons.add(person);
    }

    @Override
    public void close() {}
  }
}
