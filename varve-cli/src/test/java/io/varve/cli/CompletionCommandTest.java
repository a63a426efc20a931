package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What shells and `man` show of the commands.
class CompletionCommandTest {
  private static String completion(String kind) {
    Cli.Result result = Cli.runBare("", "completion", kind);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return result.out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish", "man"})
  void everyKindShowsEveryCommand(String kind) {
    String text = completion(kind);
    for (CommandTree.Name name : CommandTree.Name.values()) {
      assertThat(text).as(kind).contains(name.word());
    }
    assertThat(text).as(kind).contains("reverse").doesNotContain("${DEFAULT", "%n");
  }

  @Test
  void fishQuotesDescriptions() {
    assertThat(completion("fish").lines())
        .allMatch(line -> line.matches("complete -c varve .*-d '([^'\\\\]|\\\\.)*'"), "a line each")
        .contains(
            "complete -c varve -n '__fish_seen_subcommand_from scan' -s r -l reverse"
                + " -d 'From the last key to the first.'");
  }

  /// Each line is text, or a macro that `man` has.
  @Test
  void manualPageHasMacrosOfManAlone() {
    List<String> macros =
        completion("man")
            .lines()
            .filter(line -> line.startsWith(".") || line.startsWith("'"))
            .map(line -> line.split(" ")[0])
            .distinct()
            .toList();
    assertThat(macros)
        .containsExactlyInAnyOrder(".TH", ".SH", ".B", ".SS", ".TP", ".PP", ".nf", ".fi");
    assertThat(completion("man"))
        .contains(".SS scan SPACE", ".B \\-r, \\-\\-reverse")
        .contains(".SH EXIT STATUS\n.TP\n.B 0\nDone.\n", ".B 130\n", "NO_COLOR");
  }
}
