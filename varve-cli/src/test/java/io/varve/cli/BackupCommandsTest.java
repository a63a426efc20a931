package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cli.console.Stdio;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `backup`, `restore` and `salvage`, on real files.
final class BackupCommandsTest {
  @TempDir Path directory;

  private Cli store() {
    return new Cli(directory.resolve("store"));
  }

  private static void put(Cli cli, String key, String value) {
    assertThat(cli.run("put", "users", key, value).exitCode()).isZero();
  }

  private Cli.Result restore(Path source, String target, String... more) {
    var arguments = new java.util.ArrayList<>(java.util.List.of("restore", source.toString()));
    arguments.add(directory.resolve(target).toString());
    arguments.addAll(java.util.List.of(more));
    return Cli.runBare("", arguments.toArray(String[]::new));
  }

  private String get(String store, String key) {
    return new Cli(directory.resolve(store)).run("get", "users", key).out();
  }

  @Test
  void backupsOfADirectoryAreListedRestoredAndPruned() {
    Cli cli = store();
    Path backups = directory.resolve("backups");
    put(cli, "alice", "1");
    assertThat(cli.run("backup", backups.toString()).out()).startsWith("point 1, full: ");
    put(cli, "alice", "2");
    assertThat(cli.run("backup", backups.toString()).out())
        .startsWith("point 2, what changed since point 1: ");
    Cli.Result list = Cli.runBare("", "restore", backups.toString(), "--list");
    assertThat(list.exitCode()).isZero();
    assertThat(list.out()).hasLineCount(3).contains("\n    1  full  ", "\n    2     1  ");
    assertThat(restore(backups, "newest").out()).startsWith("restored point 2, taken ");
    assertThat(get("newest", "alice")).isEqualTo("2");
    assertThat(restore(backups, "first", "--to", "1").exitCode()).isZero();
    assertThat(get("first", "alice")).isEqualTo("1");
    assertThat(new Cli(directory.resolve("first")).run("verify").out()).startsWith("sound");
    Cli.Result pruned = cli.run("backup", backups.toString(), "--full", "--prune", "1");
    assertThat(pruned.out()).contains("point 3, full: ", "deleted 2 points");
    assertThat(Cli.runBare("", "restore", backups.toString(), "--list").out()).hasLineCount(2);
  }

  @Test
  void aSingleFileHoldsEverything() {
    Cli cli = store();
    put(cli, "alice", "1");
    Path file = directory.resolve("monday.vbk");
    assertThat(cli.run("backup", file.toString()).exitCode()).isZero();
    put(cli, "alice", "2");
    assertThat(cli.run("backup", file.toString()).out()).startsWith("point 1, full: ");
    assertThat(restore(file, "again").exitCode()).isZero();
    assertThat(get("again", "alice")).isEqualTo("2");
  }

  /// A file named by its date was taken for the newest point of its directory, and pruned.
  @Test
  void aFileNamedByItsDateIsNoPointOfItsDirectory() throws IOException {
    Cli cli = store();
    put(cli, "alice", "1");
    Path dated = directory.resolve("backups").resolve("20261130.vbk");
    assertThat(cli.run("backup", dated.toString()).exitCode()).isZero();
    put(cli, "alice", "2");
    Path backups = dated.getParent();
    Path unfinished = Files.createFile(backups.resolve("20261201.vbk.new"));
    assertThat(cli.run("backup", backups.toString()).out()).startsWith("point 1, full: ");
    assertThat(restore(backups, "newest").exitCode()).isZero();
    assertThat(get("newest", "alice")).isEqualTo("2");
    assertThat(cli.run("backup", backups.toString(), "--full", "--prune", "1").out())
        .contains("deleted 1 point");
    assertThat(unfinished).as("another backup writes it").exists();
    assertThat(restore(dated, "dated").exitCode()).isZero();
    assertThat(get("dated", "alice")).isEqualTo("1");
  }

  /// Its header has the number of another point, which a prune deleted in its place.
  @Test
  void aFileWithTheNameOfAPointTakesNoOthersPlace() {
    Cli cli = store();
    Path backups = directory.resolve("backups");
    put(cli, "alice", "1");
    cli.run("backup", backups.toString());
    cli.run("backup", backups.resolve("00000000000000000005.vbk").toString());
    put(cli, "alice", "2");
    assertThat(cli.run("backup", backups.toString(), "--prune", "1").out())
        .startsWith("point 6, what changed since point 1: ");
    assertThat(restore(backups, "newest").exitCode()).isZero();
    assertThat(get("newest", "alice")).isEqualTo("2");
  }

  @Test
  void noStoreIsMadeAmongBackups() {
    Cli cli = store();
    put(cli, "alice", "1");
    Path backups = directory.resolve("backups");
    cli.run("backup", backups.toString());
    for (String[] command : new String[][] {{"put", "s", "k", "v"}, {"spaces"}}) {
      Cli.Result result = new Cli(backups).run(command);
      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.err()).startsWith("varve: backups are there, and a store must not be: ");
    }
    assertThat(cli.run("backup", backups.toString()).exitCode()).isZero();
  }

  @Test
  void anUnfinishedRestoreIsNamed() throws IOException {
    Files.createFile(directory.resolve("pages.restoring"));
    assertThat(new Cli(directory).run("spaces").err())
        .startsWith("varve: a restore into this directory was not finished: ");
  }

  @Test
  void anArchivedLogLeadsToACommitBetweenTwoPoints() {
    Cli cli = store();
    Path backups = directory.resolve("backups");
    assertThat(cli.run("put", "users", "alice", "1", "--archive-log").exitCode()).isZero();
    cli.run("backup", backups.toString(), "--archive-log");
    cli.run("put", "users", "alice", "2", "--archive-log");
    String lsn =
        cli.run("stats", "--archive-log")
            .out()
            .lines()
            .filter(line -> line.startsWith("last commit"))
            .map(line -> line.replaceAll("[^0-9]", ""))
            .findFirst()
            .orElseThrow();
    cli.run("put", "users", "alice", "3", "--archive-log");
    assertThat(cli.run("backup", backups.toString(), "--archive-log").exitCode()).isZero();
    Cli.Result restored = restore(backups, "between", "--to", "lsn:" + lsn);
    assertThat(restored.out()).contains("restored point 1, ", ", and the log after it, up to LSN ");
    assertThat(get("between", "alice")).isEqualTo("2");
  }

  @Test
  void whatCannotBeRestoredIsRefused() throws IOException {
    Cli cli = store();
    Path backups = directory.resolve("backups");
    put(cli, "alice", "1");
    cli.run("backup", backups.toString());
    assertThat(restore(backups, "store").err()).contains("empty directory");
    assertThat(restore(backups, "x", "--to", "7").exitCode()).isEqualTo(3);
    assertThat(restore(backups, "x", "--to", "yesterday").exitCode()).isEqualTo(2);
    assertThat(restore(backups, "y", "--to", "2000-01-01T00:00:00").err()).contains("younger");
    assertThat(restore(directory.resolve("nowhere"), "z").exitCode()).isEqualTo(3);
    assertThat(cli.run("backup", backups.toString(), "--prune", "0").exitCode()).isEqualTo(2);
    var other = new Cli(directory.resolve("other"));
    put(other, "bob", "1");
    Cli.Result intoAStore = cli.run("backup", directory.resolve("other").toString());
    assertThat(intoAStore.exitCode()).isEqualTo(3);
    assertThat(intoAStore.err()).contains("a store is there");
    Path point = backups.resolve("00000000000000000001.vbk");
    flip(point, Files.size(point) - 10);
    Cli.Result damaged = restore(backups, "w");
    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.err()).contains(point.toString(), "offset=").hasLineCount(1);
  }

  @Test
  void aWrongSourceMakesNoDirectory() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path cut = Files.write(directory.resolve("cut.vbk"), new byte[100]);
    Path missing = directory.resolve("missing");
    Path file = Files.write(directory.resolve("file"), new byte[100]);
    Path target = directory.resolve("target");
    for (Path source : List.of(empty, cut, missing, file)) {
      Cli.Result restored = Cli.runBare("", "restore", source.toString(), target.toString());
      assertThat(restored.exitCode()).as(source.toString()).isNotZero();
      assertThat(restored.err()).startsWith("varve: ").contains(source.toString()).hasLineCount(1);
      assertThat(target).doesNotExist();
    }
    for (Path source : List.of(empty, missing, file)) {
      Cli.Result salvaged = Cli.runBare("", "salvage", source.toString(), target.toString());
      assertThat(salvaged.exitCode()).as(source.toString()).isEqualTo(3);
      assertThat(salvaged.err()).startsWith("varve: ").contains(source.toString());
      assertThat(target).doesNotExist();
    }
    assertThat(Cli.runBare("", "restore", "--list", missing.toString()).err())
        .contains("no such directory: directory=" + missing + "; name one that is there");
    assertThat(Cli.runBare("", "restore", "--list", file.toString()).err())
        .contains("path is not a directory: path=" + file + "; name a directory");
  }

  /// A signal after the last step of a restore had the message that the directory is no store.
  @Test
  void anInterruptOfARestoreReportsAnUnfinishedStoreAlone() throws IOException {
    var err = new ByteArrayOutputStream();
    var stdio =
        new Stdio(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(err, true, UTF_8));
    var restore = new RestoreCommand(new DirectoryStores(new VarveCommand(), stdio));
    put(store(), "alice", "1");
    restore.reportInterrupt(directory.resolve("store"));
    restore.reportInterrupt(directory.resolve("missing"));
    assertThat(err.toString(UTF_8)).isEmpty();
    Path part = Files.createDirectory(directory.resolve("part"));
    Files.createFile(part.resolve("pages.restoring"));
    restore.reportInterrupt(part);
    assertThat(err.toString(UTF_8)).contains("no store yet: directory=" + part);
  }

  @Test
  void salvageReportsWhetherAnythingWasLost() throws IOException {
    Cli cli = store();
    put(cli, "alice", "1");
    Path store = directory.resolve("store");
    Cli.Result whole = Cli.runBare("", "salvage", store.toString(), directory + "/copy");
    assertThat(whole.out()).startsWith("nothing lost: took 1 space, 1 entries of pages ");
    assertThat(whole.exitCode()).isZero();
    assertThat(get("copy", "alice")).isEqualTo("1");
    flip(store.resolve("pages"), 100);
    flip(store.resolve("pages"), 16384 + 100);
    Cli.Result lost = Cli.runBare("", "salvage", store.toString(), directory + "/salvaged");
    assertThat(lost.exitCode()).isEqualTo(1);
    assertThat(lost.out()).contains("both superblocks damaged: file=" + store, "LOST: 1 part");
    assertThat(get("salvaged", "alice")).isEqualTo("1");
  }

  private static void flip(Path file, long position) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(position);
      int old = bytes.read();
      bytes.seek(position);
      bytes.write(old ^ 4);
    }
  }
}
