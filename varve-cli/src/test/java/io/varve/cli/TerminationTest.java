package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Store;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A command that SIGTERM ends closes its store first.
final class TerminationTest {
  /// Far more than what the load holds before it commits, so that most are committed when the last
  /// was taken.
  private static final int LINES = 5000;

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

  private static Process load(Path store, Path messages) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "load",
            "-",
            "--format",
            "jsonl",
            "--space",
            "s",
            "--key",
            "/k",
            "--batch",
            "10",
            "--store",
            store.toString());
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(messages.toFile())
        .start();
  }
}
