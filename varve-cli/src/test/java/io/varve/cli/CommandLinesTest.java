package io.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cli.console.Stdio;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command lines of the guides are understood, and those that a guide begins with work.
class CommandLinesTest {
  private static final Path GUIDES = Path.of("..", "docs");
  private static final Pattern LINE = Pattern.compile("^ *(?:\\./)?varve ([a-z].*)$");

  /// An argument, in quotes or without.
  private static final Pattern ARGUMENT = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  /// What the launcher hands to other programs, which have guides and tests of their own.
  private static final Set<CommandTree.Name> OF_OTHERS =
      EnumSet.range(CommandTree.Name.SERVE, CommandTree.Name.IMPORT);

  @TempDir Path directory;

  /// The command lines of a guide, each as its arguments, without comments.
  private static List<List<String>> lines(Path guide) throws IOException {
    List<List<String>> lines = new ArrayList<>();
    boolean isCode = false;
    for (String line : Files.readAllLines(guide)) {
      isCode ^= line.startsWith("```");
      var command = LINE.matcher(line.replaceFirst("\\s+#.*", ""));
      if ((isCode || line.startsWith("    ")) && command.matches()) {
        lines.add(
            ARGUMENT
                .matcher(command.group(1))
                .results()
                .map(word -> Stream.of(1, 2, 3).map(word::group).filter(s -> s != null).toList())
                .map(List::getFirst)
                .toList());
      }
    }
    return lines;
  }

  @Test
  void allAreUnderstood() throws IOException {
    int understood = 0;
    try (Stream<Path> guides = Files.list(GUIDES)) {
      for (Path guide : guides.filter(file -> file.toString().endsWith(".md")).toList()) {
        for (List<String> line : lines(guide)) {
          if (OF_OTHERS.stream().noneMatch(name -> name.word().equals(line.getFirst()))) {
            parse(guide, line);
            understood++;
          }
        }
      }
    }
    assertThat(understood).isGreaterThan(30);
  }

  private static void parse(Path guide, List<String> line) {
    var root = new VarveCommand();
    var nothing = new PrintStream(new ByteArrayOutputStream());
    var stdio = new Stdio(InputStream.nullInputStream(), new ByteArrayOutputStream(), nothing);
    String[] arguments = line.toArray(String[]::new);
    try {
      CommandTree.forArguments(root, new DirectoryStores(root, stdio), arguments)
          .parseArgs(arguments);
    } catch (RuntimeException e) {
      throw new AssertionError(guide + ": " + line, e);
    }
  }

  /// Runs the lines that come before the first line of text, on a store that has an entry.
  @ParameterizedTest
  @ValueSource(strings = {"COMMANDS.md", "BACKUP.md"})
  void theFirstOnesWork(String name) throws IOException {
    Path guide = GUIDES.resolve(name);
    String text = Files.readString(guide);
    Path first = directory.resolve(name);
    Files.writeString(first, text.substring(0, text.indexOf("\n\n", text.indexOf("    "))) + "\n");
    List<List<String>> lines = lines(first);
    assertThat(lines).hasSizeGreaterThan(1);
    for (String store : List.of("data", "shop")) {
      run(List.of("put", "--store", store, "stock", "pears", "1"));
    }
    for (List<String> line : lines) {
      run(line);
    }
  }

  /// Runs a line with its directories below that of the test.
  private void run(List<String> line) {
    List<String> directories = List.of("data", "shop", "shop-again", "backups", "backups/shop");
    String[] arguments =
        line.stream()
            .map(argument -> argument.replaceFirst("^/", ""))
            .map(word -> directories.contains(word) ? directory.resolve(word).toString() : word)
            .toArray(String[]::new);
    Cli.Result result = Cli.runBare("", arguments);
    assertThat(result.exitCode()).as("%s: %s", line, result).isZero();
  }
}
