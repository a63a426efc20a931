package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A test class that runs in a JVM of its own has the tag of that JVM. Without the tag it would run
/// in each of them where Maven is given its name, and without its options in most.
class TestTagsTest {
  private static final Path ROOT = Path.of("..");

  /// Ends of names of test classes, with their tags.
  private static final Map<String, String> TAGS =
      Map.of("LincheckTest", "lincheck", "FuzzTest", "fuzz", "SimulationTest", "simulation");

  @Test
  void classesOfOwnJvmsHaveTheirTags() throws IOException {
    List<Path> untagged;
    try (Stream<Path> modules = Files.list(ROOT)) {
      untagged =
          modules
              .map(module -> module.resolve("src/test/java"))
              .filter(Files::isDirectory)
              .flatMap(TestTagsTest::untagged)
              .toList();
    }
    assertThat(untagged).isEmpty();
  }

  private static Stream<Path> untagged(Path sources) {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(TestTagsTest::lacksTag).toList().stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean lacksTag(Path file) {
    String name = file.getFileName().toString().replace(".java", "");
    return TAGS.entrySet().stream()
        .anyMatch(tag -> name.endsWith(tag.getKey()) && !has(file, tag.getValue()));
  }

  private static boolean has(Path file, String tag) {
    try {
      return Files.readString(file).contains("@Tag(\"" + tag + "\")\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
