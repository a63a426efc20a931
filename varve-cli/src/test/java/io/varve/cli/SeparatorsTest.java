package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What separates the fields of a CSV.
final class SeparatorsTest {
  @TempDir Path directory;

  /// All of each row was its key.
  @Test
  void aCsvWithAnotherSeparatorIsRefused() throws IOException {
    Path csv = Files.writeString(directory.resolve("people.csv"), "id;name\n1;Ada\n2;\"a;b\"\n");
    Cli cli = new Cli(directory.resolve("store"));
    Cli.Result result = cli.run("load", csv.toString(), "--space", "people");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .contains("line 1: the one column has a separator in its name: name=id;name")
        .contains("--format ssv");

    cli.run("load", csv.toString(), "--space", "people", "--format", "ssv");
    assertThat(cli.run("scan", "people", "--width", "0").out())
        .isEqualTo(
            """
            1\t{"id":"1","name":"Ada"}
            2\t{"id":"2","name":"a;b"}
            """);
  }

  /// It gave the names of the columns, and all rows were entries: that of the names, too.
  @Test
  void aLineThatNamesTheSeparatorIsRefused() throws IOException {
    Path csv = Files.writeString(directory.resolve("people.csv"), "sep=;\r\nid;name\r\n1;Ada\r\n");
    Cli cli = new Cli(directory.resolve("store"));
    for (String format : new String[] {"csv", "ssv"}) {
      Cli.Result result = cli.run("load", csv.toString(), "--space", "people", "--format", format);
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains("line 1: the first line is for a spreadsheet");
    }
  }

  @Test
  void aRowOfOneFieldMayHaveAny() throws IOException {
    Path csv = Files.writeString(directory.resolve("words.csv"), "a;b\n");
    Cli cli = new Cli(directory.resolve("store"));
    cli.run("load", csv.toString(), "--space", "words", "--no-header", "--value", "1");
    assertThat(cli.run("scan", "words").out()).isEqualTo("a;b\ta;b\n");
  }
}
