package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.StoreIoException;
import io.varve.cli.console.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What went wrong is one line that states what to do, whatever it was.
class CommandFailuresTest {
  @TempDir Path directory;

  private static String reported(boolean debug, ToIntFunction<Failures> report) {
    var bytes = new ByteArrayOutputStream();
    var failures = new Failures(new PrintStream(bytes, true, UTF_8), () -> debug);
    assertThat(report.applyAsInt(failures)).isEqualTo(ExitCode.STORE);
    return bytes.toString(UTF_8);
  }

  private static void requireLine(Error error, String... parts) {
    assertThat(reported(false, failures -> failures.report(error)))
        .startsWith("varve: ")
        .hasLineCount(1)
        .contains(parts);
    assertThat(reported(true, failures -> failures.report(error))).contains("\tat io.varve.cli");
  }

  @Test
  void errorsOfTheJvmAreOneLine() {
    requireLine(new OutOfMemoryError("Java heap space"), "out of memory: Java heap", "-Xmx4g");
    requireLine(new StackOverflowError(), "nests too deeply", "-Xss16m");
    requireLine(
        new NoClassDefFoundError("io/varve/Store"),
        "a part of the program is missing",
        "io/varve/Store",
        "install or build varve again");
    requireLine(
        new ExceptionInInitializerError(new IllegalStateException("no such zone")),
        "internal error",
        "no such zone",
        "--debug shows where");
    requireLine(
        new AssertionError("two of one key"),
        "internal error",
        "two of one key",
        "--debug shows where");
  }

  @Test
  void causeThatAMessageRefersToIsShown() {
    var failure =
        new StoreIoException("files cannot be closed; see the cause", new IOException("no disk"));
    assertThat(reported(false, failures -> failures.report(failure)))
        .isEqualTo(
            "varve: files cannot be closed; see the cause: no disk" + System.lineSeparator());
  }

  @Test
  void namesOfFilesDoNotReachTheTerminalAsTheyAre() {
    Path named = directory.resolve("line\nbreak\u001b[31m");
    for (String[] command :
        new String[][] {{"get", "s", "k"}, {"restore", named.toString(), "x"}}) {
      Cli.Result result = new Cli(named).run(command);
      assertThat(result.exitCode()).isEqualTo(ExitCode.STORE);
      assertThat(result.err()).contains("line\\nbreak\\x1b[31m").hasLineCount(1);
    }
    Cli.Result wrong = Cli.runBare("", "get", "s", "k", "\u001b[31m");
    assertThat(wrong.err()).startsWith("varve: Unmatched argument").doesNotContain("\u001b");
  }
}
