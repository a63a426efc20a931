package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
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
    try (var bar = new BarDisplay(err, "load", ProgressUnit.COUNT, 200, () -> 80)) {
      bar.show(100, Duration.ofSeconds(2));
    }
    String all = shown.toString(UTF_8);
    assertThat(all).contains("load", "50%", "100/200").doesNotContain("\n").endsWith(" \r");
  }

  /// A line that was wider than the window was continued on the next, once more with each update.
  @Test
  void barsFitTheWindow() {
    for (int columns : new int[] {80, 40, 20, 1}) {
      shown.reset();
      try (var bar = new BarDisplay(err, "load", ProgressUnit.BYTES, 343_000_000, () -> columns)) {
        bar.show(37_000_000, Duration.ofSeconds(2));
        bar.show(170_000_000, Duration.ofSeconds(4));
      }
      assertThat(shown.toString(UTF_8).split("\r"))
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Math.max(1, columns - 1)));
    }
  }

  /// A window may get another size.
  @Test
  void barsAskForTheSizeOfTheWindowEachTime() {
    var asked = new AtomicInteger();
    IntSupplier columns =
        () -> {
          asked.incrementAndGet();
          return 80;
        };
    try (var bar = new BarDisplay(err, "load", ProgressUnit.BYTES, 343_000_000, columns)) {
      bar.show(37_000_000, Duration.ofSeconds(2));
      int before = asked.get();
      bar.show(170_000_000, Duration.ofSeconds(4));
      assertThat(asked.get()).isGreaterThan(before);
    }
  }

  /// A load removes it before it prints what it loaded, and once more at its end.
  @Test
  void whatIsPrintedAfterABarStays() {
    var bar = new BarDisplay(err, "load", ProgressUnit.COUNT, 200, () -> 80);
    bar.show(100, Duration.ofSeconds(2));
    bar.close();
    err.print("loaded 200 entries\n");
    bar.close();
    assertThat(shown.toString(UTF_8)).endsWith("\rloaded 200 entries\n");
  }

  @Test
  void quickWorkShowsNothing() {
    var stdio = new Stdio(InputStream.nullInputStream(), new ByteArrayOutputStream(), err);
    Progress.start(stdio, "quick").close();
    assertThat(shown.size()).isZero();
  }
}
