package io.varve.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shell with a script as its input.
final class ShellTest {
  @TempDir Path directory;
  private Cli cli;

  @BeforeEach
  void fill() {
    cli = new Cli(directory);
    assertThat(cli.run("put", "users", "alice", "1").exitCode()).isZero();
  }

  private Cli.Result script(String... lines) {
    return cli.runWithInput(String.join("\n", lines), "shell");
  }

  @Test
  void runsEveryLineOnTheOpenStore() {
    assertThat(
            script(
                "# a comment",
                "",
                "put users 'b b' \"two words\"  ",
                "scan users",
                "get users alice"))
        .isEqualTo(new Cli.Result(0, "alice\t1\nb b\ttwo words\n1", ""));
  }

  @Test
  void continuesAfterAnErrorAndReportsIt() {
    Cli.Result result = script("get users nobody", "get users alice -o text", "frob", "spaces");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEqualTo("1\nusers\n");
    assertThat(result.err())
        .startsWith("varve: no such key in users: nobody\nvarve: Unmatched argument")
        .contains("Try '--help'.");
  }

  @Test
  void whatIsTypedOtherwiseIsExplained() {
    assertThat(script("top").err())
        .startsWith("varve: no command of a shell: top; run 'varve top' outside of it\n");
    assertThat(script("query from users where name > 3").err())
        .contains("'users'", "; a query is one argument: put it in quotes\n");
    assertThat(script("query --quiet users").err()).contains("--quiet").doesNotContain("quotes");
  }

  /// An argument too many was taken for a command that a shell has not, also outside of a shell.
  @Test
  void anArgumentIsNoCommand() {
    assertThat(script("get users alice top").err()).startsWith("varve: Unmatched argument");
    assertThat(cli.run("get", "users", "alice", "top").err())
        .startsWith("varve: Unmatched argument");
  }

  /// A value that memory has no capacity for closed the shell, and the store with it.
  @Test
  void continuesAfterAnErrorOfTheJvm() {
    var out =
        new ByteArrayOutputStream() {
          private boolean hasFailed;

          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            if (!hasFailed) {
              hasFailed = true;
              throw new OutOfMemoryError("Java heap space");
            }
            super.write(bytes, offset, length);
          }
        };
    var err = new ByteArrayOutputStream();
    var stdio =
        new Stdio(
            new ByteArrayInputStream("get users alice\nget users alice".getBytes(UTF_8)),
            out,
            new PrintStream(err, /* autoFlush= */ true, UTF_8));
    int code = Main.run(stdio, "shell", "--store", directory.toString());
    assertThat(err.toString(UTF_8)).startsWith("varve: out of memory: Java heap space; give");
    assertThat(code).isEqualTo(3);
    assertThat(out.toString(UTF_8)).endsWith("1");
  }

  @Test
  void exitEndsIt() {
    assertThat(script("count users", "exit", "count users").out()).isEqualTo("1\n");
    assertThat(script("quit", "count users").out()).isEmpty();
  }

  @Test
  void anOpenQuoteIsAUsageError() {
    assertThat(script("put users 'a").exitCode()).isEqualTo(2);
  }

  /// Different keys became one, whose bytes were those of a replacement character.
  @Test
  void aLineThatIsNotUtf8IsNotRun() {
    byte[] lines = "put users Zo\u00eb 1\nput users b 2\n".getBytes(ISO_8859_1);
    Cli.Result result = cli.runWithInput(lines, "shell");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("varve: line 1 is not UTF-8, and was not run\n");
    assertThat(cli.run("scan", "users").out()).isEqualTo("alice\t1\nb\t2\n");
    assertThat(script("put users Zo\u00eb 1", "get users Zo\u00eb").out()).endsWith("1");
  }

  @Test
  void aCommandHasNoInputOfItsOwn() {
    Cli.Result result = script("put users bob", "count users");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).contains("a shell command has no input of its own");
    assertThat(result.out()).isEqualTo("1\n");
  }

  @Test
  void helpShowsTheCommands() {
    assertThat(script("help").out()).contains("scan", "exit", "Ctrl-D").doesNotContain("demo");
    assertThat(script("scan --help").out()).startsWith("Usage: scan ");
  }
}
