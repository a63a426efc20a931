package io.varve.query.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The rows that values of a unique index have: in the order of their keys, each once.
class PointsRunTest {
  @Test
  void keysComeInOrderAndOnce() {
    assertThat(keys(bytes(200), bytes(3), null, bytes(200), bytes(7), bytes(3)))
        .containsExactly(bytes(3), bytes(7), bytes(200));
  }

  @Test
  void valuesWithoutARowHaveNoKey() {
    assertThat(keys()).isEmpty();
    assertThat(keys(null, null)).isEmpty();
  }

  private static byte[] bytes(int value) {
    return new byte[] {(byte) value};
  }

  private static List<byte[]> keys(byte @Nullable [] @Nullable ... found) {
    List<byte[]> keys = new ArrayList<>();
    try (var run = new PointsRun(Arrays.asList(found))) {
      while (run.next()) {
        keys.add(run.key());
      }
      assertThat(run.next()).isFalse();
    }
    return keys;
  }
}
