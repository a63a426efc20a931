package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.control.ControlSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands on a store that a program has open.
final class ControlCommandsTest {
  @TempDir Path directory;

  private static void fill(Store store) {
    store.space("s").put("a".getBytes(UTF_8), "{\"city\":\"Bonn\"}".getBytes(UTF_8));
    store.space("s").put("b".getBytes(UTF_8), "{\"city\":\"Ulm\"}".getBytes(UTF_8));
    store.space("bytes").put(new byte[] {0}, new byte[] {(byte) 0xff});
  }

  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("get", "s", "a"),
          List.of("get", "bytes", "0x00", "-o", "hex"),
          List.of("scan", "s"),
          List.of("scan", "s", "--reverse", "--limit", "1", "--keys"),
          List.of("scan", "bytes", "-o", "json"),
          List.of("count", "s", "--prefix", "a"),
          List.of("spaces", "--long"),
          List.of("spaces", "--json"),
          List.of("spaces", "--long", "--json"),
          List.of("count", "s", "--json"),
          List.of("scan", "s", "--json"),
          List.of("query", "from s where city = 'Bonn'"),
          List.of("query", "--explain", "from s where city = 'Bonn'"),
          List.of("get", "s", "none"),
          List.of("get", "none", "a"),
          List.of("count", "none"));

  @Test
  void answersAreThoseOfAStoreThatNobodyHasOpen() {
    var cli = new Cli(directory);
    try (Store store = Store.open(directory)) {
      fill(store);
    }
    List<Cli.Result> alone = COMMANDS.stream().map(c -> cli.run(c.toArray(String[]::new))).toList();
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      for (int i = 0; i < COMMANDS.size(); i++) {
        Cli.Result held = cli.run(COMMANDS.get(i).toArray(String[]::new));
        assertThat(held.out())
            .as("%s: %s", COMMANDS.get(i), held.err())
            .isEqualTo(alone.get(i).out());
        assertThat(held.exitCode()).as("%s", COMMANDS.get(i)).isEqualTo(alone.get(i).exitCode());
        assertThat(held.err()).contains("asking its control socket");
      }
    }
  }

  @Test
  void figuresAreThoseOfTheProcess() {
    var cli = new Cli(directory);
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      fill(store);
      assertThat(cli.run("stats").out())
          .containsPattern("commits +" + store.statistics().commits().applied());
      Cli.Result watched = cli.run("stats", "--watch", "--times", "2", "--interval", "0.01");
      assertThat(watched.out().lines()).hasSize(3);
      Cli.Result json = cli.run("top", "--json", "--times", "2", "--interval", "0.01");
      assertThat(json.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"time\":"));
      assertThat(cli.run("top", "--times", "1", "--interval", "0.01").out().lines()).hasSize(2);
      assertThat(cli.run("stats", "--json").out().lines()).hasSize(1);
    }
  }

  @Test
  void answersAreFollowedWhileTheProcessWrites() throws InterruptedException {
    var cli = new Cli(directory);
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      fill(store);
      AtomicBoolean isOver = new AtomicBoolean();
      Thread writer =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; !isOver.get(); i++) {
                  String city = i % 2 == 0 ? "Rome" : "Bonn";
                  byte[] document = ("{\"city\":\"" + city + "\"}").getBytes(UTF_8);
                  store.space("s").put("a".getBytes(UTF_8), document);
                  Thread.yield();
                }
              });
      String text = "from s where city = 'Rome' order by city limit 3";
      Cli.Result lines = cli.run("query", "--watch", "--times", "3", text);
      Cli.Result shown = cli.run("query", "--watch", "--times", "2", text, "-o", "table");
      isOver.set(true);
      writer.join();
      assertThat(lines.out()).as(lines.err()).startsWith("{\"commit\":");
      assertThat(lines.out()).contains("\"start\":true").contains("{\"city\":\"Rome\"}");
      assertThat(shown.out()).as(shown.err()).startsWith("answer at commit ");
      assertThat(shown.out()).contains("\n+ a {\"city\":\"Rome\"}\n");
      assertThat(shown.out()).contains("\n- a {\"city\":\"Rome\"}\n");
    }
  }

  @Test
  void nothingIsFollowedInAStoreThatNobodyHasOpen() {
    try (Store store = Store.open(directory)) {
      fill(store);
    }
    var cli = new Cli(directory);
    Cli.Result refused = cli.run("query", "--watch", "from s");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("no other process has the store open");
    assertThat(cli.run("query", "--watch", "--explain", "from s").exitCode()).isEqualTo(2);
    assertThat(cli.run("query", "--times", "3", "from s").exitCode()).isEqualTo(2);
  }

  @Test
  void changesAreForTheProcess() {
    var cli = new Cli(directory);
    try (Store store = Store.open(directory);
        ControlSocket _ = ControlSocket.open(store, directory)) {
      fill(store);
      for (List<String> change :
          List.of(
              List.of("put", "s", "a", "b"),
              List.of("query", "delete from s"),
              List.of("delete", "s", "a"))) {
        Cli.Result refused = cli.run(change.toArray(String[]::new));
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("open in");
      }
      assertThat(cli.run("count", "s").out()).isEqualTo("2\n");
    }
  }

  @Test
  void withoutASocketTheErrorNamesTheHolderAndTheWay() {
    try (Store _ = Store.open(directory)) {
      Cli.Result refused = new Cli(directory).run("stats");
      assertThat(refused.exitCode()).isEqualTo(3);
      assertThat(refused.err()).contains("ControlSocket.open");
    }
  }

  @Test
  void topIsForStoresThatAreOpen() {
    Store.open(directory).close();
    Cli.Result refused = new Cli(directory).run("top");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err()).contains("no other process");
    for (String wrong : List.of("--interval=0", "--interval=-1", "--interval=1e9", "--times=-1")) {
      assertThat(new Cli(directory).run("top", wrong).exitCode()).as(wrong).isEqualTo(2);
      assertThat(new Cli(directory).run("stats", wrong).exitCode()).as(wrong).isEqualTo(2);
    }
  }

  @Test
  void aDirectoryWithoutAStoreIsAnError() {
    assertThat(new Cli(directory.resolve("none")).run("count", "s").exitCode()).isEqualTo(3);
  }
}
