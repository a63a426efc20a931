package io.varve.query;

import static io.varve.query.Sample.AGE;
import static io.varve.query.Sample.CITY;
import static io.varve.query.Sample.NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.Store;
import io.varve.UniqueIndexException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Maps with indexes of their objects: every change is followed, and queries find the objects.
class QueryMapTest {
  private static final QueryTable<Long, Sample> SAMPLES = ObjectChecks.SAMPLES;

  private record Purchase(long id, String city, int amount) {}

  private static final QueryTable<Long, Purchase> ORDERS =
      QueryTable.ofObjects("orders", Codec.int64(), Entity.of(Purchase.class)).index("city");

  private static Map<Long, Sample> map(String kind) {
    return switch (kind) {
      case "hash" -> new ConcurrentHashMap<>();
      case "ordered" -> new ConcurrentSkipListMap<>();
      default -> new HashMap<>();
    };
  }

  /// After each of random calls the index has what the map has, and queries find that.
  @ParameterizedTest
  @ValueSource(strings = {"hash", "ordered", "plain"})
  void randomChangesAreFollowed(String kind) {
    long seed = Long.getLong("varve.seed", 3);
    Random random = new Random(seed);
    Map<Long, Sample> raw = map(kind);
    int rounds = kind.equals("hash") ? Integer.getInteger("varve.query.changes", 20_000) : 3000;
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Sample> map = QueryMap.over(raw, store, SAMPLES);
      var changes = new MapChanges(map, random, !kind.equals("ordered"));
      for (int round = 0; round < rounds; round++) {
        changes.one();
        if (round % 200 == 0) {
          ObjectChecks.assertAnswers(map.table(SAMPLES), raw, random, "seed=" + seed);
        }
      }
      assertThat(map.reconcile().isClean()).as("seed=%s", seed).isTrue();
      ObjectChecks.assertVerified(map.table(SAMPLES));
    }
  }

  /// A scan gets each object of the map as well, so that an index is read for a half of them.
  @Test
  void anIndexFindsAHalfOfTheObjects() {
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Purchase> map = QueryMap.over(new ConcurrentHashMap<>(), store, ORDERS);
      for (long id = 0; id < 40; id++) {
        map.put(id, new Purchase(id, id % 2 == 0 ? "Bonn" : "Ulm", 1));
      }
      Attribute<Purchase, String> city = Attribute.of("city", String.class, Purchase::city);
      Found<Long, Purchase> half = map.table(ORDERS).where(city.eq("Bonn"));
      assertThat(half.profile()).contains("index city: ranges=1, entries=20", "rows=20, found=20");
      assertThat(map.table(ORDERS).where(city.ge("Bonn")).profile()).contains("rows=40, found=40");
    }
  }

  /// The example of the guide.
  @Test
  void theGuideFindsPersons() {
    QueryTable<String, Person> PEOPLE =
        QueryTable.ofObjects("people", Codec.string(), Entity.of(Person.class))
            .index("city", "age desc")
            .index("tags");
    Attribute<Person, String> CITY = Attribute.of("city", String.class, Person::city);
    Store store = Store.inMemory(); // or one that is on disk
    QueryMap<String, Person> map = QueryMap.over(new ConcurrentHashMap<>(), store, PEOPLE);
    Person ada = new Person("1", "Ada", "Bonn", 36, List.of("new"));
    map.put("1", ada);
    ObjectTable<String, Person> people = map.table(PEOPLE);
    List<Person> found = people.where(CITY.eq("Bonn")).list(); // ada, the same object
    Query query = people.queries().query("from people where city = :c order by age limit 10");
    List<Person> byText = query.set("c", "Bonn").list(Person.class);
    assertThat(found).first().isSameAs(ada);
    assertThat(byText).first().isSameAs(ada);
    store.close();
  }

  private record Person(String id, String name, String city, Integer age, List<String> tags) {}

  @Test
  void answersAreTheSameObjects() {
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Sample> map = QueryMap.over(new ConcurrentHashMap<>(), store, SAMPLES);
      IntStream.range(0, 300).forEach(number -> map.put((long) number, Sample.of(number)));
      ObjectTable<Long, Sample> samples = map.table(SAMPLES);
      for (Sample found : samples.where(CITY.eq("Bonn")).orderBy(Sample.TEXT.desc()).list()) {
        assertThat(found).isSameAs(map.get(found.number()));
      }
      Found<Long, Sample> bonn = samples.where(CITY.eq("Bonn").and(AGE.ge(30)));
      assertThat(bonn.explain()).contains("index city, age");
      assertThat(bonn.list()).hasSize((int) bonn.count()).isNotEmpty();
      Query byText = samples.queries().query("from samples where city = 'Bonn' and age >= 30");
      assertThat(byText.list(Sample.class)).containsExactlyInAnyOrderElementsOf(bonn.list());
      assertThat(byText.explain()).contains("index city, age");
    }
  }

  @Test
  void threadsThatChangeTheSameKeysLeaveIndexAndMapInAgreement() throws Exception {
    Map<Long, Sample> raw = new ConcurrentHashMap<>();
    try (Store store = Store.inMemory();
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      QueryMap<Long, Sample> map = QueryMap.over(raw, store, SAMPLES);
      List<Callable<Void>> work =
          IntStream.range(0, 3)
              .mapToObj(number ->
                  (Callable<Void>)
                      () -> {
                        var changes = new MapChanges(map, new Random(number), true);
                        for (int round = 0; round < 3000; round++) {
                          changes.one();
                          if (round % 50 == 0) {
                            assertThat(map.table(SAMPLES).where(CITY.eq("Bonn")).list())
                                .allMatch(sample -> "Bonn".equals(sample.city()));
                          }
                        }
                        return null;
                      })
              .toList();
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
      assertThat(map.reconcile().isClean()).isTrue();
      ObjectChecks.assertAnswers(map.table(SAMPLES), raw, new Random(1), "threads");
      ObjectChecks.assertVerified(map.table(SAMPLES));
    }
  }

  @Test
  void aUniqueIndexRefusesBeforeTheMapChanges() {
    var table = SAMPLES.uniqueIndex("number");
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Sample> map = QueryMap.over(new ConcurrentHashMap<>(), store, table);
      map.put(1L, Sample.of(1));
      assertThatThrownBy(() -> map.put(2L, Sample.of(1))).isInstanceOf(UniqueIndexException.class);
      assertThat(map).containsOnlyKeys(1L);
      assertThat(map.table(table).where(NUMBER.eq(1L)).list()).containsExactly(Sample.of(1));
    }
  }

  /// What the map refuses is not in the index.
  @Test
  void aMapThatRefusesLeavesTheIndexAsItWas() {
    try (Store store = Store.inMemory()) {
      Map<Long, Sample> raw = new TreeMap<>(Map.of(1L, Sample.of(1)));
      var map = QueryMap.over(java.util.Collections.unmodifiableMap(raw), store, SAMPLES);
      assertThatThrownBy(() -> map.put(1L, Sample.of(2)))
          .isInstanceOf(UnsupportedOperationException.class);
      Iterator<Long> keys = map.keySet().iterator();
      keys.next();
      assertThatThrownBy(keys::remove).isInstanceOf(UnsupportedOperationException.class);
      assertThat(map.reconcile().isClean()).isTrue();
    }
  }

  @Test
  void classesInOneMapHaveTablesOfTheirOwn() {
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Object> map =
          QueryMap.<Long, Object>over(new ConcurrentHashMap<>(), store, SAMPLES, ORDERS);
      map.put(1L, Sample.of(1));
      map.put(2L, new Purchase(7, "Bonn", 3));
      map.put(3L, "neither");
      assertThat(map.table(SAMPLES).all().keys()).containsExactly(1L);
      assertThat(map.table(ORDERS).all().list()).containsExactly(new Purchase(7, "Bonn", 3));
      map.put(1L, new Purchase(8, "Ulm", 4));
      assertThat(map.table(SAMPLES).all().count()).isZero();
      assertThat(map.table(ORDERS).all().count()).isEqualTo(2);
      Queries both = Queries.of(store).table(map.table(SAMPLES)).table(map.table(ORDERS));
      assertThat(both.query("update orders set amount = 9 where city = 'Ulm'").update())
          .isEqualTo(1);
      assertThat(map).containsEntry(1L, new Purchase(8, "Ulm", 9));
      assertThat(both.query("delete from orders where amount < 5").update()).isEqualTo(1);
      assertThat(map).containsOnlyKeys(1L, 3L);
    }
  }

  @Test
  void foundObjectsAreChangedInTheMap() {
    try (Store store = Store.inMemory()) {
      QueryMap<Long, Purchase> map =
          QueryMap.<Long, Purchase>over(new ConcurrentHashMap<>(), store, ORDERS);
      for (long id = 0; id < 10; id++) {
        map.put(id, new Purchase(id, id % 2 == 0 ? "Bonn" : "Ulm", 1));
      }
      Attribute<Purchase, String> city = Attribute.of("city", String.class, Purchase::city);
      ObjectTable<Long, Purchase> orders = map.table(ORDERS);
      assertThat(orders.where(city.eq("Bonn")).update(it -> new Purchase(it.id(), "Kiel", 2)))
          .isEqualTo(5);
      assertThat(orders.where(city.eq("Bonn")).exists()).isFalse();
      assertThat(orders.where(city.eq("Kiel")).delete()).isEqualTo(5);
      assertThat(map.values()).hasSize(5).allMatch(order -> order.city().equals("Ulm"));
    }
  }

  /// The index is compared with the map when it is opened, and when it is asked to be.
  @Test
  void whatChangedTheMapItselfIsRepaired(@TempDir Path directory) {
    Map<Long, Sample> raw = new ConcurrentHashMap<>();
    try (Store store = Store.open(directory)) {
      QueryMap<Long, Sample> map = QueryMap.over(raw, store, SAMPLES);
      IntStream.range(0, 50).forEach(number -> map.put((long) number, Sample.of(number)));
      raw.remove(1L);
      raw.put(2L, Sample.of(90));
      raw.put(100L, Sample.of(100));
      assertThat(map.table(SAMPLES).where(NUMBER.le(2L)).list())
          .containsExactly(Sample.of(0)); // never a wrong one
      assertThat(map.reconcile()).isEqualTo(new Reconciliation(50, 2, 1));
      assertThat(map.reconcile().isClean()).isTrue();
    }
    raw.put(3L, Sample.of(93));
    QueryTable<Long, Sample> other = ObjectChecks.OTHER_INDEXES;
    try (Store store = Store.open(directory)) {
      QueryMap<Long, Sample> map = QueryMap.over(raw, store, other);
      ObjectChecks.assertAnswers(map.table(other), raw, new Random(2), "other");
      ObjectChecks.assertVerified(map.table(other));
      map.put(4L, Sample.of(94));
      assertThat(map.table(other).where(Sample.SCORE.eq(Sample.of(94).score())).explain())
          .contains("index score");
    }
  }

  /// An object that was changed in place is found by its new values once it is put again.
  @Test
  void anObjectThatWasChangedInPlaceIsPutAgain() {
    class Counter {
      int count;
    }
    Attribute<Counter, Integer> count =
        Attribute.of("count", Integer.class, counter -> counter.count);
    QueryTable<String, Counter> counters =
        QueryTable.ofObjects(
                "counters",
                Codec.string(),
                Entity.of("counter", Counter.class, List.<Attribute<Counter, ?>>of(count)))
            .index("count");
    try (Store store = Store.inMemory()) {
      QueryMap<String, Counter> map =
          QueryMap.<String, Counter>over(new ConcurrentHashMap<>(), store, counters);
      Counter counter = new Counter();
      map.put("a", counter);
      counter.count = 5;
      assertThat(map.table(counters).where(count.eq(0)).list()).isEmpty();
      map.put("a", counter);
      assertThat(map.table(counters).where(count.eq(5)).list()).containsExactly(counter);
    }
  }

  /// An object that setters change.
  public static final class Account {
    private String mail;
    private int age;

    Account(String mail, int age) {
      this.mail = mail;
      this.age = age;
    }

    public String getMail() {
      return mail;
    }

    public void setMail(String mail) {
      this.mail = mail;
    }

    public int getAge() {
      return age;
    }

    public void setAge(int age) {
      this.age = age;
    }
  }

  private static final QueryTable<String, Account> ACCOUNTS =
      QueryTable.ofObjects("accounts", Codec.string(), Entity.of(Account.class))
          .index("age")
          .uniqueIndex("mail");

  private static List<Integer> ages(QueryMap<String, Account> map) {
    return map.values().stream().map(Account::getAge).toList();
  }

  /// Objects that are changed in place have their old values, and are found by them.
  @Test
  void anUpdateThatIsRefusedChangesNoObject() {
    try (Store store = Store.inMemory()) {
      QueryMap<String, Account> map =
          QueryMap.<String, Account>over(new ConcurrentSkipListMap<>(), store, ACCOUNTS);
      for (int age = 1; age <= 3; age++) {
        map.put("k" + age, new Account("m" + age, age));
      }
      map.put("k4", new Account("m4", 2_000_000_000));
      Queries accounts = map.table(ACCOUNTS).queries();
      Query doubled = accounts.query("update accounts set age = age * 2");
      assertThatThrownBy(doubled::update).hasMessageContaining("the number does not fit");
      assertThat(ages(map)).containsExactly(1, 2, 3, 2_000_000_000);
      Query same = accounts.query("update accounts set age = 9, mail = 'same' where age < 9");
      assertThatThrownBy(same::update).isInstanceOf(UniqueIndexException.class);
      assertThat(ages(map)).containsExactlyInAnyOrder(9, 2, 3, 2_000_000_000);
      assertThat(map.reconcile().isClean()).isTrue();
      assertThat(accounts.query("from accounts where mail = 'same'").list(Account.class))
          .singleElement()
          .isSameAs(map.get("k1"));
      assertThat(accounts.query("update accounts set age = age + 1 where age < 9").update())
          .isEqualTo(2);
      assertThat(ages(map)).containsExactly(9, 3, 4, 2_000_000_000);
      assertThat(map.reconcile().isClean()).isTrue();
    }
  }

  /// An object that the map does not take back has its old values, too.
  @Test
  void anUpdateThatTheMapRefusesChangesNoObject() {
    try (Store store = Store.inMemory()) {
      Map<String, Account> raw = new TreeMap<>(Map.of("a", new Account("x@y", 1)));
      QueryMap<String, Account> map =
          QueryMap.<String, Account>over(
              java.util.Collections.unmodifiableMap(raw), store, ACCOUNTS);
      Query update = map.table(ACCOUNTS).queries().query("update accounts set age = 2");
      assertThatThrownBy(update::update).isInstanceOf(UnsupportedOperationException.class);
      assertThat(ages(map)).containsExactly(1);
      assertThat(map.reconcile().isClean()).isTrue();
    }
  }

  private static QueryMap<String, Account> accounts(Store store, Map<String, Account> raw) {
    return QueryMap.<String, Account>over(new ConcurrentSkipListMap<>(raw), store, ACCOUNTS);
  }

  /// What the map does not have any more does not keep a value that is unique.
  @Test
  void uniqueValuesThatOtherObjectsHaveNowAreNoConflict() {
    try (Store store = Store.inMemory()) {
      accounts(store, Map.of("a", new Account("x@y", 1)));
      var moved = accounts(store, Map.of("b", new Account("x@y", 1), "c", new Account("z", 2)));
      assertThat(moved.reconcile().isClean()).isTrue();
      var exchanged = accounts(store, Map.of("b", new Account("z", 1), "c", new Account("x@y", 2)));
      assertThat(exchanged.reconcile().isClean()).isTrue();
      exchanged.get("b").setMail("x@y");
      exchanged.get("c").setMail("z");
      assertThat(exchanged.reconcile()).isEqualTo(new Reconciliation(2, 2, 0));
      ObjectChecks.assertVerified(exchanged.table(ACCOUNTS));
      exchanged.get("b").setMail("z");
      assertThatThrownBy(exchanged::reconcile).isInstanceOf(UniqueIndexException.class);
    }
  }

  @Test
  void tablesOfObjectsAndOfStoresAreDistinguished() {
    try (Store store = Store.inMemory();
        Store other = Store.inMemory()) {
      assertThatThrownBy(() -> SAMPLES.open(store))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("QueryMap.over");
      QueryTable<Long, Sample> stored = QueryTable.of(Sample.TABLE, Sample.ENTITY);
      assertThatThrownBy(() -> QueryMap.over(new HashMap<Long, Sample>(), store, stored))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("QueryTable.ofObjects");
      QueryMap<Long, Sample> map = QueryMap.over(new ConcurrentHashMap<>(), store, SAMPLES);
      assertThatThrownBy(() -> Queries.of(other).table(map.table(SAMPLES)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another store");
      assertThatThrownBy(() -> map.table(ORDERS)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
