package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(shown, /* autoFlush= */ true, UTF_8);

  @Test
  void linesOfKnownTotal() {
    new LineDisplay(err, "load", ProgressUnit.BYTES, 10_000_000)
        .show(4_000_000, Duration.ofSeconds(2));
    assertThat(shown.toString(UTF_8))
        .isEqualTo("load: 40 % of 10.0 MB, 2 s, 2.00 MB/s, 3 s left\n");
  }

  @Test
  void linesOfUnknownTotalOrNoFigure() {
    new LineDisplay(err, "load", ProgressUnit.COUNT, -1).show(5_000, Duration.ofSeconds(2));
    new LineDisplay(err, "verify", ProgressUnit.COUNT, -1).show(0, Duration.ofSeconds(7));
    assertThat(shown.toString(UTF_8)).isEqualTo("load: 5,000, 2 s, 2,500/s\nverify: 7 s\n");
  }

  /// A bar that stayed on the terminal would be mixed with the result.
  @Test
  void aBarIsRemovedAtTheEnd() {
    try (var bar = new BarDisplay(err, "load", ProgressUnit.COUNT, 200)) {
      bar.show(100, Duration.ofSeconds(2));
    }
    String all = shown.toString(UTF_8);
    assertThat(all).contains("load", "50%", "100/200").doesNotContain("\n").endsWith(" \r");
  }

  @Test
  void quickWorkShowsNothing() {
    var stdio = new Stdio(InputStream.nullInputStream(), new ByteArrayOutputStream(), err);
    Progress.start(stdio, "quick").close();
    assertThat(shown.size()).isZero();
  }
}
