package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The tests that the testing guide names for each contract are there.
class TestingGuideTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");

  @Test
  void everyTestThatTheGuideNamesIsThere() throws IOException {
    Map<String, String> sources = sources();
    Matcher named = NAMED.matcher(Files.readString(ROOT.resolve("docs/TESTING.md")));
    int count = 0;
    List<String> missing = new ArrayList<>();
    while (named.find()) {
      count++;
      if (!sources.getOrDefault(named.group(1), "").contains("void " + named.group(2) + "(")) {
        missing.add(named.group());
      }
    }
    assertThat(missing).as("tests that the guide names and that do not exist").isEmpty();
    assertThat(count).isPositive();
  }

  /// Guards against guides that promise more than a build runs.
  @Test
  void figuresAreThoseOfTheTests() throws IOException {
    String testing = Files.readString(ROOT.resolve("docs/TESTING.md")).replaceAll("\\s+", " ");
    assertThat(testing)
        .contains("the %d histories of every build".formatted(BuildFigures.HISTORIES))
        .contains("found within %d seeds".formatted(BuildFigures.PLANTED_SEEDS))
        .contains("It is killed %d times on one directory".formatted(BuildFigures.KILLS))
        .contains("A build rebuilds %,d states".formatted(BuildFigures.CRASH_STATES))
        .contains("A build runs %d processes so".formatted(BuildFigures.FAILING_PROCESSES))
        .contains("interrupted %,d times".formatted(interrupts()))
        .contains(
            "%d of each %d bytes are inverted"
                .formatted(BuildFigures.INVERTED_BYTES, BuildFigures.SECTOR_BYTES));
    assertThat(Files.readString(ROOT.resolve("docs/DURABILITY.md")))
        .contains("| %d, from seeds".formatted(BuildFigures.HISTORIES))
        .contains("| %d, each followed by a recovery".formatted(BuildFigures.KILLS))
        .contains("| %,d, rebuilt from the calls of real".formatted(BuildFigures.CRASH_STATES))
        .contains("| %d processes |".formatted(BuildFigures.FAILING_PROCESSES))
        .contains("| %,d interrupts |".formatted(interrupts()))
        .contains(
            "%d of each %d bytes inverted"
                .formatted(BuildFigures.INVERTED_BYTES, BuildFigures.SECTOR_BYTES));
  }

  /// Of callers in platform threads, and of as many in virtual ones.
  private static int interrupts() {
    return 2 * BuildFigures.INTERRUPTED_CALLERS * BuildFigures.INTERRUPTS;
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module :
        List.of(
            "engine",
            "varve-test",
            "varve-cache",
            "varve-json",
            "varve-query",
            "varve-micrometer",
            "varve-control",
            "varve-s3",
            "varve-cdi",
            "varve-spring-boot-starter",
            "varve-infinispan",
            "varve-grid",
            "varve-cli")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
          String name = file.getFileName().toString();
          String test = name.substring(0, name.length() - ".java".length());
          assertThat(sources.put(test, Files.readString(file))).as("two of " + test).isNull();
        }
      }
    }
    return sources;
  }
}
