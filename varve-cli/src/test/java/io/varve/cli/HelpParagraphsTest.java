package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The text below the options of a command.
final class HelpParagraphsTest {
  private static final int SHORT = 40;

  /// Lines were broken as in the source, and then again by the width of the terminal: every other
  /// one had a few words.
  @ParameterizedTest
  @ValueSource(strings = {"load", "query", "backup", "restore", "dump", "salvage", "scan", "top"})
  void aShortLineEndsASentence(String command) {
    String help = Cli.runBare("", command, "--help").out();
    assertThat(help).contains("Options");
    assertThat(help.lines())
        .filteredOn(line -> line.length() < SHORT && line.matches("(?!Usage)\\S.*"))
        .allMatch(line -> line.matches(".*[.:]"));
  }
}
