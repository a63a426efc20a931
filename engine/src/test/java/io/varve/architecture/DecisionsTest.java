package io.varve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The records of decisions and their index: none is missing there, and each can be read alone.
class DecisionsTest {
  private static final Path RECORDS = ProjectFiles.ROOT.resolve("docs").resolve("decisions");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| \\[(\\d{4})\\]\\((\\1-[a-z0-9-]+\\.md)\\) \\| (.+) \\|$");

  private static final Map<String, String> ROWS = new LinkedHashMap<>();

  @BeforeAll
  static void readIndex() throws IOException {
    ROW.matcher(Files.readString(RECORDS.resolve("README.md")))
        .results()
        .forEach(row -> assertThat(ROWS.put(row.group(2), row.group(3))).as(row.group()).isNull());
  }

  private static List<Path> records() throws IOException {
    try (Stream<Path> files = Files.list(RECORDS)) {
      return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
    }
  }

  @Test
  void theIndexHasEachRecordOnce() throws IOException {
    assertThat(records())
        .map(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(ROWS.keySet());
  }

  /// A row may say more than the title, and nothing else.
  @Test
  void aRowBeginsWithTheTitleOfItsRecord() throws IOException {
    for (Path record : records()) {
      String name = record.getFileName().toString();
      String head = "# " + name.substring(0, 4) + ": ";
      assertThat(Files.readAllLines(record).getFirst()).startsWith(head);
      assertThat(ROWS.get(name))
          .as(name)
          .startsWith(Files.readAllLines(record).getFirst().substring(head.length()));
    }
  }

  @Test
  void aRecordReportsItsStatusItsQuestionAndItsDecision() throws IOException {
    for (Path record : records()) {
      assertThat(Files.readAllLines(record))
          .as(record.toString())
          .anyMatch(line -> line.startsWith("Status: accepted on 2"))
          .containsSubsequence("## Question", "## Decision");
    }
  }
}
