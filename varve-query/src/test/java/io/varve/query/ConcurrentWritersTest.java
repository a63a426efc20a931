package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.Store;
import io.varve.Table;
import io.varve.UniqueIndexException;
import io.varve.json.JsonCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/// What many writers at a time cannot get past: a unique index, and a condition that a transaction
/// has read.
class ConcurrentWritersTest {
  private static final int WRITERS = 16;
  private static final int STEPS = 150;

  private static final Attribute<Person, String> NAME =
      Attribute.of("name", String.class, Person::name);
  private static final Attribute<Person, String> CITY =
      Attribute.<Person, String>of("city", String.class, Person::city);

  private static final QueryTable<String, Person> PEOPLE =
      QueryTable.of(
              Table.of("people", Codec.string(), JsonCodec.of(Person.class)),
              Entity.of(Person.class))
          .uniqueIndex("name")
          .index("city");

  private static void inParallel(IntConsumer writer)
      throws InterruptedException, ExecutionException {
    try (ExecutorService executor = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        running.add(executor.submit(() -> writer.accept(number)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static void requireAgreement(Queryable<String, Person> people) {
    assertThat(people.indexes().verify("name")).isEmpty();
    assertThat(people.indexes().verify("city")).isEmpty();
  }

  /// Puts, transactions and removals of few names under many keys: no name is there twice, and what
  /// was refused names a row that had it.
  @Test
  void aUniqueIndexHoldsAgainstSixteenWriters() throws Exception {
    var refusals = new AtomicInteger();
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> people = PEOPLE.open(store);
      inParallel(writer -> {
        var random = new SplittableRandom(writer);
        for (int step = 0; step < STEPS; step++) {
          String id = "p" + random.nextInt(40);
          Person person = Person.of(id, "name " + random.nextInt(20), "Bonn", step);
          try {
            switch (random.nextInt(4)) {
              case 0 -> people.map().remove(id);
              case 1 -> store.transact(tx -> people.in(tx).map().put(id, person));
              default -> people.map().put(id, person);
            }
          } catch (UniqueIndexException e) {
            assertThat(e.index()).isEqualTo("name");
            assertThat(e.presentKey()).isNotEqualTo(e.key());
            refusals.incrementAndGet();
          }
          assertThat(people.where(NAME.eq(person.name())).count()).isLessThanOrEqualTo(1);
        }
      });
      List<String> names = people.map().values().stream().map(Person::name).toList();
      assertThat(new HashSet<>(names)).hasSameSizeAs(names);
      requireAgreement(people);
    }
    assertThat(refusals).hasPositiveValue();
  }

  /// Each transaction adds a person only where fewer than three are. Rows that come into a range
  /// after it was read would make a fourth.
  @Test
  void aConditionThatWasReadIsStillTrueAtTheCommit() throws Exception {
    try (Store store = Store.inMemory()) {
      Queryable<String, Person> people = PEOPLE.open(store);
      inParallel(writer -> {
        var random = new SplittableRandom(writer);
        for (int step = 0; step < STEPS; step++) {
          String id = writer + "/" + step;
          int age = step;
          String city = "city " + random.nextInt(20);
          store.transact(tx -> {
            Queryable<String, Person> within = people.in(tx);
            if (within.where(CITY.eq(city)).count() < 3) {
              within.map().put(id, Person.of(id, id, city, age));
            }
          });
        }
      });
      for (int city = 0; city < 20; city++) {
        assertThat(people.where(CITY.eq("city " + city)).count()).isEqualTo(3);
      }
      requireAgreement(people);
    }
  }
}
