package io.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Runs commands in this process as the launcher does in its own, over captured streams.
public final class Cli {
  /// How a command ended, and what it printed.
  public record Result(int exitCode, String out, String err) {
    /// The errors without lines of progress, which a slow machine prints.
    String warnings() {
      return err.replaceAll("(?m)^\\w+: \\d.*\\R", "");
    }
  }

  private final Path store;

  /// Runs commands on one store.
  public Cli(Path store) {
    this.store = store;
  }

  public Result run(String... arguments) {
    return runWithInput("", arguments);
  }

  public Result runWithInput(String input, String... arguments) {
    return runWithInput(input.getBytes(UTF_8), arguments);
  }

  public Result runWithInput(byte[] input, String... arguments) {
    String[] all =
        Stream.concat(Stream.of(arguments), Stream.of("--store", store.toString()))
            .toArray(String[]::new);
    return runBare(input, all);
  }

  /// Runs the command line as it is.
  public static Result runBare(String input, String... arguments) {
    return runBare(input.getBytes(UTF_8), arguments);
  }

  private static Result runBare(byte[] input, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var stdio =
        new Stdio(
            new ByteArrayInputStream(input),
            out,
            new PrintStream(err, /* autoFlush= */ true, UTF_8));
    int exitCode = Main.run(stdio, arguments);
    return new Result(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }
}
