package io.varve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ZipfianTest {
  private static final int DRAWS = 400_000;

  /// The share of rank k is 1/(k+1)^0.99 over the sum of all; the method is exact for the first
  /// two.
  @Test
  void firstRanksHaveTheirShare() {
    int items = 1_000;
    double sum = 0;
    for (int i = 1; i <= items; i++) {
      sum += 1 / Math.pow(i, Zipfian.CONSTANT);
    }
    Zipfian zipfian = Zipfian.of(items, new SplittableRandom(1));
    int[] hits = new int[items];
    for (int i = 0; i < DRAWS; i++) {
      hits[(int) zipfian.next()]++;
    }
    assertThat(hits[0] / (double) DRAWS).isCloseTo(1 / sum, Offset.offset(0.003));
    assertThat(hits[1] / (double) DRAWS)
        .isCloseTo(1 / (sum * Math.pow(2, Zipfian.CONSTANT)), Offset.offset(0.003));
    assertThat(hits[0]).isGreaterThan(hits[10]).isGreaterThan(hits[100]);
  }

  @Test
  void growsWithTheItems() {
    Zipfian grown = Zipfian.of(10, new SplittableRandom(1));
    Zipfian whole = Zipfian.of(1_000, new SplittableRandom(1));
    for (int i = 0; i < 1_000; i++) {
      assertThat(grown.next(1_000)).isEqualTo(whole.next()).isBetween(0L, 999L);
    }
  }

  @Test
  void choicesArePresentRecords() {
    var records = new Records(KeyOrder.HASHED, 100, 1_000);
    records.loaded(900);
    for (RecordChooser chooser :
        new RecordChooser[] {
          RecordChooser.uniform(records, new SplittableRandom(1)),
          RecordChooser.zipfian(records, new SplittableRandom(2)),
          RecordChooser.latest(records, new SplittableRandom(3))
        }) {
      for (int i = 0; i < 10_000; i++) {
        assertThat(chooser.next()).isBetween(0L, 899L);
      }
    }
  }
}
