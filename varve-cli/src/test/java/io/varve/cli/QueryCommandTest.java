package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Codec;
import io.varve.ProgressListener;
import io.varve.Store;
import io.varve.cli.documents.Documents;
import io.varve.query.QueryTable;
import io.varve.spi.SpaceIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Documents that are loaded, indexed, asked and changed by the command line alone.
final class QueryCommandTest {
  private static final String PEOPLE =
      """
      id,name,city,age,email
      1,Ada,Bonn,36,ada@example.org
      2,Bob,Köln,41,
      3,Cem,Bonn,,cem@example.org
      4,Dora,Berlin,29,dora@example.org
      """;

  @TempDir private Path directory;
  private Cli cli = new Cli(Path.of("unset"));

  @BeforeEach
  void load() throws IOException {
    cli = new Cli(directory.resolve("store"));
    Path csv = Files.writeString(directory.resolve("people.csv"), PEOPLE);
    ok("load", csv.toString(), "--space", "people", "--key", "id", "--as", "documents");
  }

  private String ok(String... arguments) {
    Cli.Result result = cli.run(arguments);
    assertThat(result.err() + result.exitCode()).isEqualTo("0");
    return result.out();
  }

  /// It was an internal error, which named no entry.
  @Test
  void valueThatIsNoJsonIsNamedWhereAnIndexReadsIt() {
    ok("put", "texts", "first", "plain");
    ok("index", "create", "people", "city");
    String json = "{\"space\":\"people\",\"key\":\"9\",\"value\":\"plain\"}";
    for (Cli.Result result :
        List.of(
            cli.run("put", "people", "9", "plain"),
            cli.runWithInput(json, "load", "--format", "jsonl", "-"),
            cli.run("index", "create", "texts", "city"),
            cli.run("delete", "texts", "first"))) {
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.warnings())
          .startsWith("varve: an entry of the table cannot be decoded: table=")
          .contains(", part=value, bytes=5, ")
          .hasLineCount(1);
    }
    ok("index", "drop", "texts", "city");
    ok("delete", "texts", "first");
    assertThat(ok("verify")).startsWith("sound");
  }

  @Test
  void documentsAreAskedByTheirFields() {
    assertThat(ok("query", "from people where city = 'Bonn' and age is not null"))
        .isEqualTo(
            """
            {"id":1,"name":"Ada","city":"Bonn","age":36,"email":"ada@example.org"}
            """);
    assertThat(ok("query", "select name, age from people where age > 30 order by age desc"))
        .isEqualTo(
            """
            {"name":"Bob","age":41}
            {"name":"Ada","age":36}
            """);
    assertThat(ok("query", "select count(*) from people where city = 'Bonn'", "-o", "csv"))
        .endsWith("\r\n2\r\n");
  }

  @Test
  void answersAreATableForAReader() {
    assertThat(ok("query", "select name, city from people order by name limit 2", "-o", "table"))
        .isEqualTo(
            """
            name  city
            ----  ----
            Ada   Bonn
            Bob   Köln
            """);
  }

  @Test
  void anIndexIsMadeListedVerifiedAndDropped() {
    ok("index", "create", "people", "city");
    ok("index", "create", "people", "city , age desc");
    assertThat(ok("index", "list", "people"))
        .contains("people\tcity\tnot unique\tbuilt\t4 entries")
        .contains("people\tcity, age desc\tnot unique\tbuilt");
    assertThat(ok("query", "--explain", "from people where city = 'Bonn'")).contains("city");
    assertThat(ok("query", "select name from people where city = 'Bonn' order by name"))
        .isEqualTo("{\"name\":\"Ada\"}\n{\"name\":\"Cem\"}\n");
    assertThat(ok("index", "verify", "people")).isEqualTo("city\tsound\ncity, age desc\tsound\n");
    ok("index", "rebuild", "people", "city");
    ok("index", "drop", "people", "city");
    assertThat(cli.run("index", "drop", "people", "city").exitCode()).isEqualTo(1);
    assertThat(ok("index", "list")).doesNotContain("people\tcity\t");
  }

  @Test
  void severalIndexesAreMadeAndRebuiltByOneCommand() {
    ok("index", "create", "people", "city");
    Cli.Result missing = cli.run("index", "rebuild", "people", "city", "name");
    assertThat(missing.exitCode()).isEqualTo(1);
    assertThat(missing.err()).contains("no such index: name");
    assertThat(ok("index", "create", "people", "city", "age desc", "name, age").lines())
        .hasSize(2) // the first one was there
        .allMatch(line -> line.matches("built (age desc|name, age): 4 entries, in .+s"));
    ok("index", "create", "people", "email", "--unique");
    Cli.Result again = cli.run("index", "create", "people", "age desc", "city");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("the space has an index of these fields");
    Cli.Result unique = cli.run("index", "create", "people", "other", "city", "--unique");
    assertThat(unique.err()).contains("index=city, unique=false");
    String all = ok("index", "list", "people");
    assertThat(ok("index", "rebuild", "people").lines()).hasSize(4);
    assertThat(ok("index", "list", "people")).isEqualTo(all).contains("email\tunique\tbuilt");
    assertThat(ok("index", "verify", "people"))
        .isEqualTo("age desc\tsound\ncity\tsound\nemail\tsound\nname, age\tsound\n");
    ok("put", "none", "1", "{}");
    assertThat(cli.run("index", "rebuild", "none").err()).contains("no index of documents");
  }

  /// It was dropped, and then not found, so the space lost it.
  @Test
  void anIndexThatIsNamedTwiceIsMadeAndRebuiltOnce() {
    ok("index", "create", "people", "name,age", "name, age");
    String all = ok("index", "list", "people");
    ok("index", "rebuild", "people", "name, age", "name,age");
    assertThat(ok("index", "list", "people")).isEqualTo(all);
  }

  @Test
  void everyCommandThatChangesDocumentsKeepsTheirIndexes() throws IOException {
    ok("index", "create", "people", "city");
    ok("put", "people", "5", "{\"name\":\"Eve\",\"city\":\"Bonn\"}");
    ok("delete", "people", "1");
    Path more = Files.writeString(directory.resolve("more.csv"), "id,name,city\n6,Fay,Bonn\n");
    ok("load", more.toString(), "--space", "people", "--key", "id", "--as", "documents");
    assertThat(ok("query", "update people set city = 'Köln' where name = 'Cem'"))
        .isEqualTo("1 document changed\n");
    assertThat(ok("query", "select name from people where city = 'Bonn' order by name"))
        .isEqualTo("{\"name\":\"Eve\"}\n{\"name\":\"Fay\"}\n");
    assertThat(ok("query", "delete from people where city = 'Köln'"))
        .isEqualTo("2 documents changed\n");
    assertThat(ok("index", "verify", "people")).isEqualTo("city\tsound\n");
    assertThat(cli.run("verify").exitCode()).isZero();
  }

  /// Numbers that no double is were written as the nearest one, or as the text "Infinity".
  @Test
  void aChangeOfADocumentLeavesItsNumbersAsTheyAre() {
    ok("put", "n", "1", "{\"n\":0.12345678901234567890123,\"big\":1e400,\"one\":1.0,\"a\":1.5}");
    ok("put", "n", "2", "{\"n\":1.5,\"a\":1.50}");
    ok("index", "create", "n", "n");
    ok("query", "update n set b = 1 where n < 1");
    String changed =
        "{\"n\":0.12345678901234567890123,\"big\":1E+400,\"one\":1.0,\"a\":1.5,\"b\":1}";
    assertThat(ok("get", "n", "1").strip()).isEqualTo(changed);
    assertThat(ok("query", "from n where n = 0.12345678901234568").strip()).isEqualTo(changed);
    assertThat(ok("query", "select count(*) as c from n where a = 1.5")).isEqualTo("{\"c\":2}\n");
    assertThat(ok("index", "verify", "n")).isEqualTo("n\tsound\n");
    Cli.Result unique = cli.run("index", "create", "n", "a", "--unique");
    assertThat(unique.err()).contains("equal values");
    assertThat(ok("query", "-o", "csv", "from n where b = 1"))
        .contains("1E+400", "678901234567890123");
  }

  /// They were left out without a message.
  @ParameterizedTest
  @ValueSource(strings = {"csv", "table"})
  void fieldsThatOnlyLaterAnswersHaveAreNamed(String format) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      lines.append("{\"id\":").append(10_000 + i).append("}\n");
    }
    String last = "{\"id\":20000,\"late\":1,\"more\":2}\n";
    cli.runWithInput(
        lines + last, "load", "-", "--format", "jsonl", "--key", "id", "--space", "many");
    Cli.Result result = cli.run("query", "from many", "-o", format);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).contains("20000").doesNotContain("late");
    assertThat(result.err()).contains("names=late,more; ");
    Cli.Result named = cli.run("query", "select id, late, more from many", "-o", format);
    assertThat(named.exitCode()).isZero();
    assertThat(named.out()).contains("late");
  }

  @Test
  void aUniqueIndexRefuses() {
    ok("index", "create", "people", "email", "--unique");
    Cli.Result put = cli.run("put", "people", "9", "{\"email\":\"ada@example.org\"}");
    assertThat(put.exitCode()).isNotZero();
    assertThat(put.err()).contains("unique index");
    assertThat(cli.run("get", "people", "9").exitCode()).isEqualTo(1);
    Cli.Result index = cli.run("index", "create", "people", "city", "--unique");
    assertThat(index.exitCode()).isEqualTo(1);
    assertThat(index.err()).contains("equal values");
  }

  @Test
  void aQueryThatIsWrongReportsWhere() {
    Cli.Result result = cli.run("query", "from people where citi = ");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("line=1, column=26");
    Cli.Result unknown = cli.run("query", "from nobody");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("found=nobody, expected=a space of documents, as 'varve spaces' lists them");
    assertThat(cli.run("query", "select count(*) from peeple;").err())
        .isEqualTo("varve: no such table: line=1, column=22, found=peeple, expected=people\n");
  }

  @Test
  void aChangeOfDocumentsLeavesOtherSpacesAsTheyAre() {
    ok("put", "set", "a", "no JSON");
    ok("put", "p", "a", "no JSON");
    ok("query", "update people set age = 30 where name = 'Cem'");
    try (Store store = Store.open(directory.resolve("store"))) {
      assertThat(store.map("set", Codec.string(), Codec.bytes())).hasSize(1);
      assertThat(store.map("p", Codec.string(), Codec.bytes())).hasSize(1);
    }
  }

  @Test
  void anIndexThatAProgramMadeIsNotReplaced() {
    try (Store store = Store.open(directory.resolve("store"))) {
      SpaceIndex own =
          new SpaceIndex() {
            @Override
            public String name() {
              return "city";
            }

            @Override
            public String id() {
              return "of a program";
            }

            @Override
            public boolean isUnique() {
              return false;
            }

            @Override
            public void prefixes(byte[] key, byte[] value, Consumer<byte[]> prefixes) {
              prefixes.accept(new byte[] {1});
            }

            @Override
            public int prefixBytes(byte[] indexEntry) {
              return 1;
            }
          };
      store.indexed(store.space("people")).keep(List.of(own), ProgressListener.none());
    }
    for (String command : List.of("create", "rebuild")) { // a rebuild dropped it first
      Cli.Result result = cli.run("index", command, "people", "city");
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains("a program has made an index of that name");
      assertThat(ok("index", "list", "people")).contains("4 entries");
    }
  }

  /// The same command reported that the table had such an index, and how a program avoids that.
  @Test
  void anIndexWhoseBuildWasEndedIsBuiltByTheSameCommand() {
    try (Store store = Store.open(directory.resolve("store"))) {
      var ended = new IllegalStateException("a disk that is full");
      QueryTable<String, JsonNode> people = Documents.table(store, "people").index("city");
      assertThatThrownBy(() ->
              people.open(
                  store,
                  (_, _) -> {
                    throw ended;
                  }))
          .isSameAs(ended);
    }
    assertThat(ok("index", "list", "people")).contains("city\tnot unique\tnot built\t");
    requireNotTakenForDamage();
    Cli.Result otherwise = cli.run("index", "create", "people", "city", "--unique");
    assertThat(otherwise.exitCode()).isEqualTo(2);
    ok("index", "create", "people", "city");
    assertThat(ok("index", "list", "people")).contains("city\tnot unique\tbuilt\t4 entries");
    assertThat(ok("index", "verify", "people")).isEqualTo("city\tsound\n");
  }

  private void requireNotTakenForDamage() {
    assertThat(ok("index", "verify", "people"))
        .isEqualTo("city\tnot verified: not built: 'varve index create' continues the build\n");
    assertThat(ok("index", "verify", "people", "--json"))
        .startsWith("{\"index\":\"city\",\"verified\":false,\"reason\":\"not built: ");
    assertThat(ok("verify"))
        .startsWith("index not built: space=people, index=city\nsound: ")
        .hasLineCount(2);
    assertThat(ok("verify", "--json"))
        .startsWith("{\"sound\":true,")
        .contains("\"indexesNotBuilt\":[\"space=people, index=city\"]");
  }

  @Test
  void anIndexThatIsThereIsRefusedByItsCommands() {
    ok("index", "create", "people", "city");
    Cli.Result result = cli.run("index", "create", "people", "city");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .contains("space=people, index=city, unique=false; 'varve index rebuild' makes it again");
  }

  @Test
  void jsonThatWasPutIsAskedAsWell() {
    ok("put", "events", "a", "{\"kind\":\"start\",\"at\":{\"day\":3}}");
    ok("put", "events", "b", "{\"kind\":\"end\",\"at\":{\"day\":4}}");
    assertThat(ok("query", "select kind from events where at.day > 3"))
        .isEqualTo("{\"kind\":\"end\"}\n");
  }

  /// A document may hold what a terminal would obey: a title, a color, another line.
  @Test
  void aTableShowsControlCharactersAndDoesNotSendThem() {
    String name = "\u001b]0;title\u0007\u009b31m\nnext\u202e";
    ok("query", "update people set name = '" + name + "' where name = 'Ada'");
    String table = ok("query", "select name, age from people where age = 36", "-o", "table");
    assertThat(table)
        .contains("\\x1b]0;title\\x07\\xc2\\x9b31m\\nnext\\xe2\\x80\\xae  36")
        .doesNotContain("\u001b", "\u009b", "\u0007", "\u202e");
    assertThat(ok("query", "select name from people where age = 36", "--json"))
        .isEqualTo(ok("query", "select name from people where age = 36", "-o", "jsonl"));
    assertThat(ok("query", "select name from people where age = 36", "-o", "jsonl"))
        .containsIgnoringCase("\\u001b]0;title\\u0007")
        .doesNotContain("\u001b");
    ok("index", "create", "people", "a\u001bc");
    assertThat(ok("index", "list", "people")).contains("\ta\\x1bc\t").doesNotContain("\u001b");
    assertThat(ok("index", "verify", "people")).contains("a\\x1bc\tsound");
  }

  @Test
  void changesAreMadeInBatches() {
    ok("index", "create", "people", "age");
    assertThat(ok("query", "--batch", "1", "update people set age = age + 1 where age > 0"))
        .isEqualTo("3 documents changed\n");
    assertThat(ok("query", "select age from people where age > 0 order by age"))
        .isEqualTo("{\"age\":30}\n{\"age\":37}\n{\"age\":42}\n");
    assertThat(ok("query", "--batch", "2", "delete from people where city = 'Bonn'"))
        .isEqualTo("2 documents changed\n");
    assertThat(ok("count", "people")).isEqualTo("2\n");
    for (Cli.Result refused :
        List.of(
            cli.run("query", "--batch", "0", "delete from people"),
            cli.run("query", "--batch", "5", "from people"),
            cli.run("query", "--batch", "5", "--explain", "delete from people"))) {
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err()).contains("--batch is a number of documents");
    }
    assertThat(ok("count", "people")).isEqualTo("2\n");
  }
}
