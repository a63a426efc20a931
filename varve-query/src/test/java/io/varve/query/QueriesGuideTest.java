package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.cache.VarveCachingProvider;
import io.varve.json.JsonCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the code of docs/QUERIES.md, as it is there.
class QueriesGuideTest {
  record Person(@Key String id, String name, String city, Integer age, List<String> tags) {}

  static final Attribute<Person, String> CITY = Attribute.of("city", String.class, Person::city);
  static final Attribute<Person, Integer> AGE = Attribute.of("age", Integer.class, Person::age);

  static final QueryTable<String, Person> PEOPLE =
      QueryTable.ofObjects("people", Codec.string(), Entity.of(Person.class))
          .index("city", "age desc")
          .index("tags");

  @TempDir Path directory;

  private static Person person(String id, String name, String city, int age) {
    return new Person(id, name, city, age, List.of("new"));
  }

  private final Person ada = person("1", "Ada", "Bonn", 36);
  private final List<String> shown = new ArrayList<>();
  private Runnable afterFirst = () -> {};

  @Test
  void firstExample() {
    assertThat(firstAnswer()).containsExactly(ada);
  }

  private List<Person> firstAnswer() {
    Table<String, Person> people = Table.of("people", Codec.string(), JsonCodec.of(Person.class));
    try (Store store = Store.open(directory.resolve("data"))) {
      store.open(people).put("1", new Person("1", "Ada", "Bonn", 36, List.of("new")));
      Queries queries = Queries.of(store).table(people, Entity.of(Person.class));
      Query query = queries.query("from people where city = :c order by age limit 10");
      return query.set("c", "Bonn").list(Person.class);
    }
  }

  private static Queryable<String, Person> open(Store store) {
    Table<String, Person> people = Table.of("people", Codec.string(), JsonCodec.of(Person.class));
    QueryTable<String, Person> indexed =
        QueryTable.of(people, Entity.of(Person.class))
            .index("city", "age desc") // for a city, and for an age in a city
            .index("tags") // one entry for each tag
            .uniqueIndex("name");

    Queryable<String, Person> table = indexed.open(store);
    Queries queries = Queries.of(store).table(table);
    assertThat(queries.query("from people").list(Person.class)).isEmpty();
    return table;
  }

  @Test
  void typedQueries() {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> table = open(store);
      table.map().put("1", ada);
      table.map().put("2", person("2", "Bob", "Ulm", 17));
      table.map().put("3", person("3", "Eva", "Bonn", 20));
      List<Person> young =
          table
              .where(CITY.eq("Bonn").and(AGE.between(18, 30)))
              .orderBy(AGE.desc())
              .limit(10)
              .list();
      long count = table.where(CITY.in("Bonn", "Ulm")).count();
      table.where(AGE.lt(18)).delete();
      assertThat(young).extracting(Person::name).containsExactly("Eva");
      assertThat(count).isEqualTo(3);
      assertThat(table.map()).hasSize(2);
      store.verify().requireSound();
    }
  }

  @Test
  void pages() {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> table = open(store);
      for (int i = 0; i < 30; i++) {
        table.map().put("" + i, person("" + i, "name" + i, "Bonn", i));
      }
      Page<String, Person> page = table.where(CITY.eq("Bonn")).orderBy(AGE.desc()).limit(20).page();
      String next = page.next(); // goes to the client, and comes back
      assertThat(next).isNotNull();
      page = table.where(CITY.eq("Bonn")).orderBy(AGE.desc()).limit(20).after(next).page();
      assertThat(page.values()).hasSize(10);
      assertThat(page.next()).isNull();
    }
  }

  @Test
  void objectsOfAMap() {
    Store store = Store.inMemory(); // or one that is on disk
    QueryMap<String, Person> map = QueryMap.over(new ConcurrentHashMap<>(), store, PEOPLE);
    map.put("1", ada);
    ObjectTable<String, Person> people = map.table(PEOPLE);
    List<Person> found = people.where(CITY.eq("Bonn")).list(); // ada, the same object
    Query query = people.queries().query("from people where city = :c order by age limit 10");
    List<Person> byText = query.set("c", "Bonn").list(Person.class);
    assertThat(found.getFirst()).isSameAs(ada);
    assertThat(byText.getFirst()).isSameAs(ada);
    store.close();
  }

  @Test
  void objectsOfACache() {
    try (var provider = new VarveCachingProvider();
        Store store = Store.inMemory()) {
      Cache<String, Person> cache =
          provider
              .getCacheManager()
              .createCache(
                  "people",
                  new MutableConfiguration<String, Person>()
                      .setTypes(String.class, Person.class)
                      .setStoreByValue(false));
      QueryCache<String, Person> followed =
          QueryCache.over(cache, store, PEOPLE); // a javax.cache.Cache
      cache.put("1", ada);
      List<Person> inBonn = followed.table(PEOPLE).where(CITY.eq("Bonn")).list();
      Reconciliation repaired = followed.reconcile(); // compared, indexed, removed
      assertThat(inBonn).containsExactly(ada);
      assertThat(repaired.indexed()).isZero();
      followed.close();
    }
  }

  @Test
  void liveQuery() throws InterruptedException {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> table = open(store);
      table.map().put("1", ada);
      afterFirst = () -> table.map().put("3", person("3", "Eva", "Bonn", 20));
      try (LiveQuery<String, Person> live = table.where(CITY.eq("Bonn")).live()) {
        show(live.start().entries());
        while (isShown()) {
          LiveQuery.Step<String, Person> step = live.next(Duration.ofSeconds(1));
          if (step != null && step.areMissed()) {
            show(live.start().entries());
          } else if (step != null) {
            step.changes().forEach(change -> show(change.key(), change.before(), change.after()));
          }
        }
      }
    }
    assertThat(shown).containsExactly("1", "3");
  }

  private boolean isShown() {
    return shown.size() < 2;
  }

  private void show(List<Map.Entry<String, Person>> entries) {
    entries.forEach(entry -> shown.add(entry.getKey()));
    afterFirst.run();
  }

  private void show(String key, @Nullable Person before, @Nullable Person after) {
    shown.add(key);
  }
}
