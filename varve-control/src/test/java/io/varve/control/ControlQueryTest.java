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
import java.util.ArrayList;
import java.util.Iterator;
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

  @Test
  void aQueryIsFollowed() {
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      PEOPLE.open(store);
      OrderedMap<String, Person> people = store.open(PEOPLE.table());
      people.put("a", new Person("Ada", "Bonn", 36));
      people.put("b", new Person("Bob", "Bonn", 41));
      var client = new ControlClient(directory);
      String text = "select name from people where city = 'Bonn' order by age limit 1";
      try (Stream<String> lines = client.watch(text)) {
        Iterator<String> line = lines.iterator();
        assertThat(line.next()).matches("\\{\"commit\":\\d+,\"start\":true}");
        assertThat(line.next()).contains("\"key\":\"a\",\"after\":{\"name\":\"Ada\"}");
        people.put("c", new Person("Cai", "Ulm", 1));
        people.put("a", new Person("Ada", "Ulm", 36));
        assertThat(line.next()).contains("\"key\":\"a\",\"before\":{\"name\":\"Ada\"}}");
        assertThat(line.next()).contains("\"key\":\"b\",\"after\":{\"name\":\"Bob\"}}");
        people.put("b", new Person("Bobby", "Bonn", 41));
        assertThat(line.next())
            .contains("\"before\":{\"name\":\"Bob\"},\"after\":{\"name\":\"Bobby\"}}");
      }
      for (String wrong : List.of("select count(*) from people", "from nobody")) {
        assertThatExceptionOfType(ControlException.class)
            .isThrownBy(() -> {
              try (Stream<String> lines = client.watch(wrong)) {
                lines.iterator().next();
              }
            })
            .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BAD_REQUEST));
      }
    }
  }

  /// Half of the connections may follow a query, and the close of the process ends them.
  @Test
  void thoseWhoFollowLeaveConnectionsToOthers() {
    List<Stream<String>> watches = new ArrayList<>();
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      PEOPLE.open(store);
      var client = new ControlClient(directory);
      List<Iterator<String>> lines = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        watches.add(client.watch("from people"));
        lines.add(watches.getLast().iterator());
        assertThat(lines.getLast().next()).contains("start");
      }
      assertThatExceptionOfType(ControlException.class)
          .isThrownBy(() -> {
            try (Stream<String> fifth = client.watch("from people")) {
              fifth.iterator().next();
            }
          })
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.BUSY));
      assertThat(ask(client, "from people")).isEmpty();
    }
    for (Stream<String> watch : watches) {
      watch.close();
    }
  }

  private static void requireRefusal(Reason reason, ControlClient client, String text) {
    assertThatExceptionOfType(ControlException.class)
        .isThrownBy(() -> ask(client, text))
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }
}
