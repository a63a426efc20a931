package io.varve.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YcsbWorkloadTest {
  private static final int DRAWS = 100_000;

  @ParameterizedTest
  @CsvSource({
    "A, READ, 0.50, UPDATE",
    "B, READ, 0.95, UPDATE",
    "C, READ, 1.00, UPDATE",
    "D, READ, 0.95, INSERT",
    "E, SCAN, 0.95, INSERT",
    "F, READ, 0.50, READ_MODIFY_WRITE"
  })
  void actionsHaveTheSharesOfThePaper(
      YcsbWorkload workload, YcsbWorkload.Action most, double share, YcsbWorkload.Action rest) {
    var random = new SplittableRandom(1);
    Map<YcsbWorkload.Action, Integer> counts = new EnumMap<>(YcsbWorkload.Action.class);
    for (int i = 0; i < DRAWS; i++) {
      counts.merge(workload.nextAction(random), 1, Integer::sum);
    }
    assertThat(counts.getOrDefault(most, 0) / (double) DRAWS).isCloseTo(share, Offset.offset(0.01));
    assertThat(counts.getOrDefault(rest, 0) / (double) DRAWS)
        .isCloseTo(1 - share, Offset.offset(0.01));
  }
}
