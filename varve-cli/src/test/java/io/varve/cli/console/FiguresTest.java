package io.varve.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FiguresTest {
  @Test
  void bytes() {
    assertThat(Figures.bytes(0)).isEqualTo("0 B");
    assertThat(Figures.bytes(999)).isEqualTo("999 B");
    assertThat(Figures.bytes(1_000)).isEqualTo("1.00 kB");
    assertThat(Figures.bytes(999_499)).isEqualTo("999 kB");
    assertThat(Figures.bytes(999_500)).isEqualTo("1.00 MB");
    assertThat(Figures.bytes(213_256_113)).isEqualTo("213 MB");
    assertThat(Figures.bytes(Long.MAX_VALUE)).isEqualTo("9.22 EB");
  }

  @Test
  void times() {
    assertThat(Figures.time(Duration.ofNanos(850))).isEqualTo("850 ns");
    assertThat(Figures.time(Duration.ofNanos(1_234))).isEqualTo("1.23 us");
    assertThat(Figures.time(Duration.ofMillis(56))).isEqualTo("56.0 ms");
    assertThat(Figures.time(Duration.ofMillis(3_400))).isEqualTo("3.40 s");
    assertThat(Figures.time(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
  }

  @Test
  void ratesRatiosAndCounts() {
    assertThat(Figures.rate(12_345, Duration.ofSeconds(1))).isEqualTo("12,345/s");
    assertThat(Figures.rate(1, "files", Duration.ofSeconds(4))).isEqualTo("0.25 files/s");
    assertThat(Figures.byteRate(10_000_000, Duration.ofSeconds(2))).isEqualTo("5.00 MB/s");
    assertThat(Figures.ratio(7, 2)).isEqualTo("3.50");
    assertThat(Figures.ratio(7, 0)).isEqualTo("-");
    assertThat(Figures.percent(1, 3)).isEqualTo("33 %");
    assertThat(Figures.count(1, "file")).isEqualTo("1 file");
    assertThat(Figures.count(1_000, "file")).isEqualTo("1,000 files");
  }
}
