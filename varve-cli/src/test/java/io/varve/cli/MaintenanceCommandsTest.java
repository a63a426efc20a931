package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands about a store as a whole, and the command line itself.
final class MaintenanceCommandsTest {
  @TempDir Path directory;

  private Cli storeWithOneEntry() {
    var cli = new Cli(directory);
    assertThat(cli.run("put", "users", "alice", "1").exitCode()).isZero();
    return cli;
  }

  @Test
  void resultsAreJsonForPrograms() {
    var cli = new Cli(directory.resolve("json"));
    cli.run("put", "s", "k", "v");
    assertThat(cli.run("count", "s", "--json").out()).isEqualTo("{\"space\":\"s\",\"count\":1}\n");
    assertThat(cli.run("spaces", "--json").out()).isEqualTo("{\"space\":\"s\"}\n");
    assertThat(cli.run("spaces", "--long", "--json").out())
        .startsWith("{\"space\":\"s\",\"entries\":1,\"bytes\":");
    assertThat(cli.run("scan", "s", "--json").out())
        .isEqualTo(cli.run("scan", "s", "-o", "json").out());
    assertThat(cli.run("verify", "--json").out())
        .startsWith("{\"sound\":true,\"problems\":[],\"spaces\":1,");
    assertThat(cli.run("get", "s", "k", "--json").out())
        .isEqualTo(cli.run("scan", "s", "--json").out());
    assertThat(cli.run("checkpoint", "--json").out()).startsWith("{\"nanos\":");
    assertThat(cli.run("compact", "--json").out())
        .startsWith("{\"returnedBytes\":")
        .contains("\"pageFileBytes\":");
    assertThat(cli.run("delete", "s", "k", "--json").out())
        .isEqualTo("{\"space\":\"s\",\"deleted\":1}\n");
  }

  @Test
  void backupsAreJsonForPrograms() throws IOException {
    Cli cli = storeWithOneEntry();
    String target = directory.resolve("points").toString();
    assertThat(cli.run("backup", target, "--json").out())
        .startsWith("{\"point\":1,\"taken\":\"")
        .hasLineCount(1);
    cli.run("put", "users", "bob", "2");
    assertThat(cli.run("backup", target, "--full", "--prune", "1", "--json").out().lines())
        .satisfiesExactly(
            point -> assertThat(point).startsWith("{\"point\":2,"),
            deleted -> assertThat(deleted).startsWith("{\"deletedPoints\":1,\"bytes\":"));
    assertThat(cli.run("restore", target, "--list", "--json").out())
        .startsWith("{\"point\":2,\"taken\":\"")
        .contains("\"lsn\":", "\"file\":")
        .hasLineCount(1);
    String restored = directory.resolve("restored").toString();
    assertThat(cli.run("restore", target, restored, "--json").out())
        .startsWith("{\"point\":2,")
        .contains("\"directory\":");
    assertThat(cli.run("salvage", restored, directory.resolve("new").toString(), "--json").out())
        .startsWith("{\"complete\":true,\"losses\":[],\"lossCount\":0,\"spaces\":1,");
    Path rows = directory.resolve("rows.csv");
    Files.writeString(rows, "id,city\n1,Rome\n");
    assertThat(
            cli.run("load", rows.toString(), "--space", "p", "--as", "documents", "--json").out())
        .startsWith("{\"entries\":1,");
    for (String command : List.of("create", "rebuild")) {
      assertThat(cli.run("index", command, "p", "city", "--json").out())
          .startsWith("{\"space\":\"p\",\"index\":\"city\",\"unique\":false,\"built\":true,")
          .contains("\"entries\":1,", "\"nanos\":");
    }
    assertThat(cli.run("index", "list", "p", "--json").out())
        .startsWith("{\"space\":\"p\",\"index\":\"city\",\"unique\":false,\"built\":true,");
    assertThat(cli.run("index", "verify", "p", "--json").out())
        .isEqualTo("{\"index\":\"city\",\"verified\":true,\"sound\":true,\"faults\":[]}\n");
  }

  @Test
  void aMissingStoreIsAStoreErrorAndIsNotMade() {
    Path missing = directory.resolve("missing");
    Cli.Result result = new Cli(missing).run("scan", "users");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).startsWith("varve: no store there: " + missing).hasLineCount(1);
    assertThat(missing).doesNotExist();
  }

  @Test
  void anEmptyDirectoryIsNoStoreAndBecomesNone() {
    for (int i = 0; i < 2; i++) {
      Cli.Result result = new Cli(directory).run("spaces");
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.err())
          .startsWith("varve: no store there: " + directory + "; name another by --store")
          .hasLineCount(1);
    }
  }

  /// What does not fit into the quota is refused; what was loaded before stays.
  @Test
  void aQuotaBoundsWhatIsLoaded() throws IOException {
    Path rows = directory.resolve("rows.csv");
    String row = "," + "x".repeat(1000) + "\n";
    Files.writeString(
        rows,
        IntStream.range(0, 8000)
            .mapToObj(i -> i + row)
            .collect(Collectors.joining("", "id,t\n", "")));
    var cli = new Cli(directory.resolve("small"));
    Cli.Result load =
        cli.run("load", rows.toString(), "--space", "s", "--batch", "20", "--disk-max", "8m");
    assertThat(load.exitCode()).isEqualTo(3);
    assertThat(load.err()).contains("no capacity").contains("raise the quota");
    String loaded = cli.run("count", "s").out().strip();
    assertThat(load.err().replace(",", ""))
        .contains(loaded + " entries were loaded before that failed")
        .contains("the same command without --skip loads all of it");
    assertThat(cli.run("stats", "--disk-max", "8m").out()).containsPattern("all files .* of 8");
    assertThat(cli.run("verify").exitCode()).isZero();
  }

  @Test
  void verifyOfASoundStore() {
    Cli.Result result = storeWithOneEntry().run("verify");
    assertThat(result.out()).startsWith("sound: 1 space, ").contains(", 1 entries, ");
    assertThat(result.exitCode()).isZero();
  }

  /// Damage is a negative answer of 'verify', and for every other command a store it cannot use.
  @Test
  void aDirectoryOfOtherFilesIsNoStoreAndStaysAsItIs() throws IOException {
    Path other = Files.writeString(directory.resolve("notes.txt"), "none");
    Cli.Result result = new Cli(directory).run("spaces");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err())
        .startsWith("varve: no store there: " + directory + "; name another by --store")
        .hasLineCount(1);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(other);
    }
  }

  @Test
  void verifyOfADamagedStoreNamesTheFile() throws Exception {
    Path store = directory.resolve("store");
    try (Store opened = Store.open(store)) {
      Space numbers = opened.space("numbers");
      opened.transact(tx -> {
        for (int i = 0; i < 5_000; i++) {
          tx.put(numbers, Integer.toString(i).getBytes(UTF_8), new byte[100]);
        }
      });
    }
    flipBits(store.resolve("pages"));
    var cli = new Cli(store);
    Cli.Result verify = cli.run("verify");
    assertThat(verify.exitCode()).isEqualTo(1);
    assertThat(verify.out() + verify.err()).contains(store.resolve("pages").toString());
    Cli.Result dump = cli.run("dump");
    assertThat(dump.exitCode()).isEqualTo(3);
    assertThat(dump.err()).contains(store.resolve("pages").toString()).hasLineCount(1);
  }

  /// A bit of every thousandth byte in the middle half of the file.
  private static void flipBits(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = bytes.length / 4; i < bytes.length / 4 * 3; i += 1_000) {
      bytes[i] ^= 0x10;
    }
    Files.write(file, bytes);
  }

  @Test
  void checkpointAndCompactTellWhatTheyDid() {
    Cli cli = storeWithOneEntry();
    assertThat(cli.run("checkpoint").out()).startsWith("checkpoint written in ");
    assertThat(cli.run("compact").out()).startsWith("returned ");
    assertThat(cli.run("get", "users", "alice").out()).isEqualTo("1");
  }

  @Test
  void statsNamesFiguresAndWatchPrintsRates() {
    Cli cli = storeWithOneEntry();
    assertThat(cli.run("stats").out()).contains("\ncommits per force ", "\npage file ");
    Cli.Result watch = cli.run("stats", "--watch", "--interval", "0.001", "--times", "2");
    assertThat(watch.out()).hasLineCount(3).startsWith("  commits/s");
    assertThat(cli.run("stats", "--watch", "--interval", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void debugShowsWhereAnErrorWas() {
    Path missing = directory.resolve("missing");
    assertThat(new Cli(missing).run("spaces", "--debug").err()).contains("\tat io.varve.cli.");
  }

  @Test
  void aCacheSizeIsTakenAndAWrongOneIsAUsageError() {
    Cli cli = storeWithOneEntry();
    assertThat(cli.run("get", "users", "alice", "--cache", "16m").out()).isEqualTo("1");
    Cli.Result result = cli.run("get", "users", "alice", "--cache", "much");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("'much' is not a size like 64k, 256m or 2g");
  }

  @Test
  void helpListsEveryCommandAndEachHasExamples() {
    Cli.Result help = Cli.runBare("", "--help");
    assertThat(help.exitCode()).isZero();
    for (CommandTree.Name name : CommandTree.Name.values()) {
      assertThat(help.out()).contains("\n  " + name.word() + " ");
      Cli.Result one = Cli.runBare("", name.word(), "--help");
      assertThat(one.exitCode()).isZero();
      assertThat(one.out()).contains("Usage: varve " + name.word(), "Example", "varve");
      assertThat(one.out().lines()).allMatch(line -> line.length() <= 100);
    }
  }

  /// The launcher itself runs some commands, which this program does not have.
  @Test
  void helpListsCommandsOfTheLauncher() throws IOException {
    String launcher = Files.readString(Path.of("..", "varve"));
    List<String> own =
        launcher
            .substring(launcher.lastIndexOf("case ${1:-} in"))
            .lines()
            .map(String::strip)
            .filter(line -> line.matches("[a-z |]+\\).*"))
            .flatMap(line -> Stream.of(line.replaceAll("\\).*", "").split(" \\| ")))
            .toList();
    assertThat(own).contains("serve", "user", "node", "import", "test", "bench", "release");
    String help = Cli.runBare("", "--help").out();
    assertThat(own).allSatisfy(command -> assertThat(help).contains("\n  " + command + " "));
    Cli.Result run = Cli.runBare("", "serve", "--port", "0");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("the launcher, varve or ./varve, runs 'serve'");
  }

  @Test
  void nothingToDoIsAUsageError() {
    assertThat(Cli.runBare(""))
        .isEqualTo(
            new Cli.Result(2, "", "varve: Missing required subcommand\nTry 'varve --help'.\n"));
  }

  @Test
  void aWrongCommandIsAUsageErrorWithAGuess() {
    Cli.Result result = Cli.runBare("", "verfy");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("varve: Unmatched argument", "Did you mean", "varve verify");
  }

  @Test
  void versionNamesVarveAndJava() {
    assertThat(Cli.runBare("", "--version").out()).matches("(?s)varve .*\nJava 25.*\n");
  }

  @Test
  void benchReportsWhereItIs() {
    Cli.Result result = Cli.runBare("", "bench", "--threads", "8");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("./varve");
  }

  @Test
  void demoLeavesAForeignDirectoryAlone() throws Exception {
    Files.writeString(directory.resolve("precious"), "x");
    Cli.Result result =
        Cli.runBare("", "demo", "--dir", directory.toString(), "--source", directory.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("holds something else than a demo");
    assertThat(directory.resolve("precious")).hasContent("x");
  }
}
