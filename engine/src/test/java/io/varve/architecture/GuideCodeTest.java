package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds guides to code that compiles and runs: each example in Java is part of a test's source.
///
/// Between its paragraphs the test may do more. White space makes no difference, and what a guide
/// has below the current directory is in the test's own `directory`.
class GuideCodeTest {
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^ *```java\n(.*?)^ *```$");
  private static final Path TESTS = Path.of("src", "test", "java");

  @Test
  void eachExampleIsCodeOfATest() throws IOException {
    Map<Path, List<String>> files = ProjectFiles.read();
    List<String> tests = new ArrayList<>();
    files.forEach((path, lines) -> {
      if (ProjectFiles.isSource(path) && isTest(path)) {
        tests.add(plain(String.join("\n", lines)));
      }
    });
    List<String> missing = new ArrayList<>();
    List<String> all = new ArrayList<>();
    files.forEach((path, lines) -> {
      if (ProjectFiles.isGuide(path)) {
        EXAMPLE
            .matcher(String.join("\n", lines) + "\n")
            .results()
            .map(example -> example.group(1))
            .forEach(example -> {
              all.add(example);
              List<String> parts =
                  Stream.of(example.split("\n\n")).map(GuideCodeTest::plain).toList();
              if (tests.stream().noneMatch(test -> parts.stream().allMatch(test::contains))) {
                missing.add(path + ":\n" + example);
              }
            });
      }
    });
    assertThat(missing).as("examples of guides that no test runs").isEmpty();
    assertThat(all).as("examples").hasSizeGreaterThan(60);
  }

  private static boolean isTest(Path path) {
    return path.getNameCount() > 4 && path.subpath(1, 4).equals(TESTS);
  }

  private static String plain(String code) {
    return code.replaceAll("\\s+", "")
        .replace("directory.resolve(", "Path.of(")
        .replace("Path.of(\"/", "Path.of(\"");
  }
}
