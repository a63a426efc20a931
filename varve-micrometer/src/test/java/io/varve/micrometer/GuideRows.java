package io.varve.micrometer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The rows of the tables of docs/OBSERVABILITY.md.
final class GuideRows {
  private GuideRows() {}

  /// The rows whose first cell begins with one of these, as cells without code marks.
  static List<List<String>> of(String... prefixes) throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "OBSERVABILITY.md")).stream()
        .filter(line -> Arrays.stream(prefixes).anyMatch(each -> line.startsWith("| `" + each)))
        .map(line ->
            Arrays.stream(line.split("\\|"))
                .skip(1)
                .map(cell -> cell.replace("`", "").strip())
                .toList())
        .toList();
  }
}
