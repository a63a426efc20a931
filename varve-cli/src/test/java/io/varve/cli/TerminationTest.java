package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Store;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A command that SIGTERM ends closes its store first.
final class TerminationTest {
  /// Far more than what the load holds before it commits, so that most are committed when the last
  /// was taken.
  private static final int LINES = 5000;

  /// Far more than a pipe holds.
  private static final int DUMPED_BYTES = 1 << 20;

  private static final int EXIT_CODE_OF_SIGTERM = 128 + 15;

  @TempDir Path directory;

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be asked to end there")
  void loadThatIsTerminatedLeavesNothingToRecover() throws IOException, InterruptedException {
    Path store = directory.resolve("store");
    Path messages = directory.resolve("messages");
    Process load = load(store, messages);
    try (Writer input = new BufferedWriter(load.outputWriter(UTF_8))) {
      for (int i = 0; i < LINES; i++) {
        input.write("{\"k\":\"%06d\",\"text\":\"%s\"}\n".formatted(i, "text ".repeat(40)));
      }
      input.flush();
      load.toHandle().destroy();
      assertThat(load.waitFor(5, TimeUnit.MINUTES)).as("the command ended").isTrue();
    } finally {
      load.destroyForcibly();
    }
    assertThat(load.exitValue()).isEqualTo(EXIT_CODE_OF_SIGTERM);
    try (Store opened = Store.open(store)) {
      assertThat(opened.statistics().recovery().replayedCommits()).isZero();
      long loaded = opened.space("s").count(Range.all());
      assertThat(loaded).isBetween(1L, (long) LINES);
      // A whole prefix: the last key is that of the last line, and the message states how many.
      try (Snapshot snapshot = opened.snapshot();
          Cursor cursor = snapshot.cursor(opened.space("s"), Range.all())) {
        assertThat(cursor.last()).isTrue();
        assertThat(new String(cursor.key(), UTF_8)).isEqualTo("%06d".formatted(loaded - 1));
      }
      assertThat(Files.readString(messages)).contains("--skip " + loaded + " continues");
      opened.verify().requireSound();
    }
  }

  /// A dump that ended early had nothing that marked it, but its exit code.
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be asked to end there")
  void dumpThatIsTerminatedReportsThatItIsNotWhole() throws IOException, InterruptedException {
    Path store = directory.resolve("store");
    try (Store filled = Store.open(store)) {
      filled.space("s").put("k".getBytes(UTF_8), new byte[DUMPED_BYTES]);
      filled.space("s").put("l".getBytes(UTF_8), new byte[DUMPED_BYTES]);
    }
    Path messages = directory.resolve("messages");
    List<String> command = command(List.of());
    command.addAll(List.of("dump", "--store", store.toString()));
    Process dump = new ProcessBuilder(command).redirectError(messages.toFile()).start();
    try {
      assertThat(dump.getInputStream().read()).as(() -> read(messages)).isEqualTo('{');
      dump.toHandle().destroy(); // while it waits for a reader of the rest
      assertThat(dump.waitFor(5, TimeUnit.MINUTES)).as("the command ended").isTrue();
    } finally {
      dump.destroyForcibly();
    }
    assertThat(dump.exitValue()).isEqualTo(EXIT_CODE_OF_SIGTERM);
    assertThat(Files.readString(messages)).contains("the dump is not whole");
  }

  /// A load of an SQL dump has all of it in a database on disk. It goes with the process, or else
  /// with the next load.
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a process cannot be asked to end there")
  void loadOfADumpLeavesNoDatabase() throws IOException, InterruptedException {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    for (String dialect : List.of("sqlite", "h2")) {
      endDuringDump(temporary, dialect, Process::destroyForcibly);
      assertThat(workDirectories(temporary)).as(dialect).hasSize(1);
      endDuringDump(temporary, dialect, load -> load.toHandle().destroy());
      assertThat(workDirectories(temporary)).as(dialect).isEmpty();
    }
  }

  private void endDuringDump(Path temporary, String dialect, Consumer<Process> end)
      throws IOException, InterruptedException {
    Path messages = directory.resolve("messages");
    Process load =
        load(
            messages,
            List.of("-Djava.io.tmpdir=" + temporary),
            List.of("--format", dialect, "--store", directory.resolve("store").toString()));
    long startMillis = System.currentTimeMillis();
    try (Writer input = new BufferedWriter(load.outputWriter(UTF_8))) {
      input.write("CREATE TABLE t(a INTEGER);\n");
      for (int i = 0; i < LINES; i++) {
        input.write("INSERT INTO t VALUES(%d);\n".formatted(i));
      }
      input.flush();
      while (databases(temporary, startMillis).isEmpty()) {
        assertThat(load.isAlive()).as(() -> read(messages)).isTrue();
        TimeUnit.MILLISECONDS.sleep(10);
      }
      end.accept(load);
      assertThat(load.waitFor(5, TimeUnit.MINUTES)).as("the command ended").isTrue();
    } finally {
      load.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> workDirectories(Path temporary) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(path -> path.getFileName().toString().startsWith("varve-load-")).toList();
    }
  }

  /// Databases that a load has made since a time.
  private static List<Path> databases(Path temporary, long startMillis) throws IOException {
    List<Path> made = new ArrayList<>();
    for (Path each : workDirectories(temporary)) {
      Path content = each.resolve("content");
      if (Files.isDirectory(content)
          && Files.getLastModifiedTime(content).toMillis() >= startMillis) {
        try (Stream<Path> files = Files.list(content)) {
          files.forEach(made::add);
        }
      }
    }
    return made;
  }

  private static Process load(Path store, Path messages) throws IOException {
    return load(
        messages,
        List.of(),
        List.of(
            "--format",
            "jsonl",
            "--space",
            "s",
            "--key",
            "/k",
            "--batch",
            "10",
            "--store",
            store.toString()));
  }

  private static Process load(Path messages, List<String> options, List<String> arguments)
      throws IOException {
    List<String> command = command(options);
    command.addAll(List.of("load", "-"));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(messages.toFile())
        .start();
  }

  /// A command line that runs the command in a JVM of its own, without the command's arguments.
  private static List<String> command(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return command;
  }
}
