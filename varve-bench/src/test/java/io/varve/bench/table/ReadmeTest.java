package io.varve.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)`");

  @Test
  void theReadmeNamesEveryTable() throws IOException {
    List<String> named =
        ROW.matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(row -> row.group(1))
            .filter(label -> !label.equals("device")) // no table of engines
            .toList();
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(Tables.all().stream().map(Table::label).toList());
  }
}
