package io.varve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenanceTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-26T12:00:00.5Z"), ZoneOffset.UTC);

  @Test
  void figuresSayHowTheyCameAbout() {
    List<String> lines = new Provenance(List.of("wal", "--trials", "3"), false).lines(CLOCK);
    assertThat(lines)
        .startsWith("command: ./varve bench wal --trials 3", "date: 2026-11-26T12:00:00Z")
        .hasSize(3);
    assertThat(lines.getLast()).matches("commit: ([0-9a-f]{40}(, with changes)?|unknown)");
  }

  @Test
  void aQuickRunReportsThatItProvesNothing() {
    assertThat(new Provenance(List.of("all", "--quick"), true).lines(CLOCK).getFirst())
        .startsWith("QUICK RUN")
        .contains("prove nothing");
  }

  /// The root of the file system: a directory for temporary files may be in a repository.
  @Test
  void whatIsNoRepositoryHasNoCommit(@TempDir Path directory) {
    Path root = directory.toAbsolutePath().getRoot();
    assertThat(Provenance.commit(root)).isEqualTo("unknown");
  }
}
