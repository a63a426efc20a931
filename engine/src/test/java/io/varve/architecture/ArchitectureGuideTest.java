package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The walks of docs/ARCHITECTURE.md name classes and members: each of these is there. So a name
/// that a change takes away is changed in the walk as well.
class ArchitectureGuideTest {
  private static final Pattern NAME =
      Pattern.compile("`(?<type>[A-Z]\\w*[a-z]\\w*)(?:[.#](?<member>\\w+))?(?:\\([^`]*\\))?`");

  /// The sources of each type that has a file.
  private static final Map<String, String> SOURCES = new HashMap<>();

  private static List<String> guide = List.of();

  @BeforeAll
  static void read() throws IOException {
    Map<Path, List<String>> files = ProjectFiles.read();
    guide = files.get(Path.of("docs", "ARCHITECTURE.md"));
    files.forEach((path, lines) -> {
      if (ProjectFiles.isSource(path)) {
        String type = path.getFileName().toString().replace(".java", "");
        SOURCES.merge(type, String.join("\n", lines), (one, other) -> one + other);
      }
    });
  }

  @Test
  void whatTheWalksNameIsThere() {
    Map<String, MatchResult> names = new TreeMap<>();
    guide.stream()
        .flatMap(line -> NAME.matcher(line).results())
        .forEach(name -> names.putIfAbsent(name.group(), name));
    String everything = String.join("\n", SOURCES.values());
    List<String> missing = new ArrayList<>();
    names.forEach((text, name) -> {
      String source = SOURCES.getOrDefault(name.group("type"), everything);
      String sought = name.group("member") == null ? name.group("type") : name.group("member");
      if (!Pattern.compile("\\b" + sought + "\\b").matcher(source).find()) {
        missing.add(text);
      }
    });
    assertThat(missing).as("names in docs/ARCHITECTURE.md that no source has").isEmpty();
    assertThat(names).hasSizeGreaterThan(200);
  }
}
