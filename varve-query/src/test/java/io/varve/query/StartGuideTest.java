package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Codec;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.Table;
import io.varve.admin.Backups;
import io.varve.admin.RestoreTo;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the code of docs/START.md from its first step to its last one, as a reader does.
class StartGuideTest {
  record Person(String name, String city, int age) {}

  static final Table<String, Person> PEOPLE =
      Table.of("people", Codec.string(), Codec.record(Person.class));

  static final Table<String, Long> MOVES = Table.of("moves", Codec.string(), Codec.int64());

  @TempDir Path directory;

  @Test
  void theStepsWork() {
    Path data = directory.resolve("data");
    try (Store store = Store.open(data)) {
      OrderedMap<String, Person> people = store.open(PEOPLE);
      people.put("ada", new Person("Ada", "London", 36)); // on stable storage when it returns
      people.put("bob", new Person("Bob", "Bonn", 41));
      people.put("eva", new Person("Eva", "Bonn", 29));
    }
    try (Store store = Store.open(data)) {
      store.transact(tx -> {
        Person ada = tx.open(PEOPLE).get("ada");
        tx.open(PEOPLE).put("ada", new Person(ada.name(), "Bonn", ada.age()));
        tx.open(MOVES).merge("Bonn", 1L, Long::sum); // another table, the same commit
      });
      Queries queries = Queries.of(store).table(PEOPLE, Entity.of(Person.class));
      List<Person> found =
          queries
              .query("from people where city = :c order by age")
              .set("c", "Bonn")
              .list(Person.class);
      assertThat(found).extracting(Person::name).containsExactly("Eva", "Ada", "Bob");
      Backups backups = Backups.at(directory.resolve("backups"));
      backups.take(store);
      backups.restore(directory.resolve("restored"), RestoreTo.newest());
    }
    try (Store store = Store.open(directory.resolve("restored"))) {
      assertThat(store.open(PEOPLE)).hasSize(3);
      assertThat(store.open(MOVES)).containsEntry("Bonn", 1L);
    }
  }
}
