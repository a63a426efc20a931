package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.Codec;
import io.varve.IndexedSpace.IndexStatus;
import io.varve.OrderedMap;
import io.varve.Store;
import io.varve.Table;
import io.varve.control.ControlException.Reason;
import io.varve.json.JsonCodec;
import io.varve.query.Entity;
import io.varve.query.QueryTable;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process has a table of records; the socket sees documents.
final class ControlQueryTest {
  record Person(String name, String city, int age) {}

  private static final QueryTable<String, Person> PEOPLE =
      QueryTable.of(
              Table.of("people", Codec.string(), JsonCodec.of(Person.class)),
              Entity.of(Person.class))
          .index("city")
          .index("age desc");

  @TempDir Path directory;

  private static List<String> ask(ControlClient client, String text) {
    try (Stream<String> rows = client.query(text)) {
      return rows.toList();
    }
  }

  @Test
  void queriesReadAndKeepNothing() {
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      PEOPLE.open(store);
      OrderedMap<String, Person> people = store.open(PEOPLE.table());
      people.put("a", new Person("Ada", "Bonn", 36));
      people.put("b", new Person("Bob", "Ulm", 41));
      List<IndexStatus> indexes = store.indexed(store.space("people")).list();
      var client = new ControlClient(directory);
      assertThat(ask(client, "from people where city = 'Bonn'"))
          .containsExactly("{\"name\":\"Ada\",\"city\":\"Bonn\",\"age\":36}");
      assertThat(ask(client, "select city, count(*) from people group by city")).hasSize(2);
      assertThat(client.explain("from people where city = 'Bonn'")).contains("index city");
      for (String wrong : List.of("from nobody", "nonsense", "")) {
        requireRefusal(Reason.BAD_REQUEST, client, wrong);
      }
      requireRefusal(Reason.REFUSED, client, "delete from people");
      requireRefusal(Reason.REFUSED, client, "update people set city = 'Rome'");
      assertThat(store.indexed(store.space("people")).list()).isEqualTo(indexes);
      people.put("c", new Person("Cai", "Bonn", 9));
      assertThat(ask(client, "from people where city = 'Bonn'")).hasSize(2);
      store.verify().requireSound();
    }
  }

  private static void requireRefusal(Reason reason, ControlClient client, String text) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ask(client, text))
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }
}
