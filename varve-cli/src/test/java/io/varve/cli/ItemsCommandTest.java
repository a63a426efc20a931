package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Items that are read and changed as JSON by the command line alone.
final class ItemsCommandTest {
  @TempDir private Path directory;
  private Cli cli = new Cli(Path.of("unset"));

  @BeforeEach
  void put() {
    cli = new Cli(directory.resolve("store"));
    assertThat(
            ok(
                "items",
                "put",
                "people",
                "@long:7",
                "--value",
                "{\"name\":\"Ada\",\"tags\":[\"b\",\"a\"],\"address\":{\"city\":\"Bonn\"}}"))
        .isEqualTo("4 items removed or inserted\n");
  }

  private String ok(String... arguments) {
    Cli.Result result = cli.run(arguments);
    assertThat(result.err() + result.exitCode()).isEqualTo("0");
    return result.out();
  }

  private void refused(int exitCode, String message, String... arguments) {
    Cli.Result result = cli.run(arguments);
    assertThat(result.err()).contains(message);
    assertThat(result.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void itemsAreReadReplacedPatchedAndDeleted() {
    assertThat(ok("items", "get", "people", "@long:7"))
        .isEqualTo("{\"address\":{\"city\":\"Bonn\"},\"name\":\"Ada\",\"tags\":[\"a\",\"b\"]}\n");
    assertThat(ok("items", "get", "people", "@long:7", "address", "city")).isEqualTo("\"Bonn\"\n");
    assertThat(ok("items", "count", "people")).isEqualTo("4\n");
    assertThat(ok("items", "count", "people", "--json"))
        .isEqualTo("{\"space\":\"people\",\"count\":4}\n");
    assertThat(
            cli.runWithInput("{\"tags\":null,\"age\":36}", "items", "patch", "people", "@long:7"))
        .isEqualTo(new Cli.Result(0, "3 items removed or inserted\n", ""));
    assertThat(ok("items", "get", "people"))
        .isEqualTo("{\"@long:7\":{\"address\":{\"city\":\"Bonn\"},\"age\":36,\"name\":\"Ada\"}}\n");
    assertThat(ok("items", "delete", "people", "@long:7", "address")).isEqualTo("deleted 1 item\n");
    assertThat(ok("items", "put", "people", "@long:8", "--value", "null"))
        .isEqualTo("1 item removed or inserted\n");
    try (Store store = Store.open(directory.resolve("store"))) {
      ItemSpace items = store.items("people");
      assertThat(items.scan())
          .containsExactly(Item.of(7L, "age", 36L), Item.of(7L, "name", "Ada"), Item.of(8L));
    }
  }

  @Test
  void whatIsNotThereIsAnExitCode() {
    assertThat(cli.run("items", "get", "people", "nobody"))
        .isEqualTo(new Cli.Result(1, "{}\n", ""));
    assertThat(cli.run("items", "delete", "people", "nobody").exitCode()).isEqualTo(1);
    refused(1, "no such space", "items", "get", "nothing");
    refused(1, "no such space", "items", "patch", "nothing", "--value", "{}");
  }

  @Test
  void whatIsNoJsonOrNoComponentChangesNothing() {
    refused(2, "no JSON", "items", "put", "people", "@long:7", "--value", "{\"a\":");
    refused(2, "no JSON", "items", "put", "people", "@long:7", "--value", "{} {}");
    refused(2, "no JSON", "items", "put", "people", "@long:7", "--value", "{\"a\":1,\"a\":2}");
    refused(2, "empty", "items", "put", "people", "@long:7", "--value", "");
    refused(2, "@long:", "items", "put", "people", "@long:seven", "--value", "{}");
    refused(2, "@long:", "items", "put", "people", "--value", "{\"@long:seven\":1}");
    refused(2, "itemsMax=3", "items", "get", "people", "--max", "3");
    assertThat(ok("items", "count", "people")).isEqualTo("4\n");
  }

  /// Bytes that are no text were stored as the replacement character.
  @Test
  void bytesThatAreNoTextChangeNothing() {
    byte[] input = {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}'};
    for (String call : List.of("put", "patch")) {
      Cli.Result result = cli.runWithInput(input, "items", call, "people", "@long:7");
      assertThat(result.err()).contains("the value is no JSON: it is not UTF-8");
      assertThat(result.exitCode()).isEqualTo(2);
    }
    assertThat(ok("items", "count", "people")).isEqualTo("4\n");
  }

  @Test
  void entriesAreNotTakenForItems() {
    ok("put", "texts", "a", "b");
    ok("put", "names", "a", "");
    for (String space : new String[] {"texts", "names"}) {
      refused(2, "no items: " + space, "items", "get", space);
      refused(2, "no items: " + space, "items", "put", space, "--value", "{\"x\":1}");
      refused(2, "no items: " + space, "items", "delete", space);
      assertThat(ok("count", space)).isEqualTo("1\n");
    }
  }
}
