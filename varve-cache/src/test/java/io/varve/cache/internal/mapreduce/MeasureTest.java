package io.varve.cache.internal.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MeasureTest {
  private static Marshaller<Object> objects() {
    return Marshallers.ofType(Object.class, MeasureTest.class.getClassLoader());
  }

  @Test
  void charactersBeyondLatinTakeTwoBytes() {
    assertThat(Measure.plainBytes("\u0416".repeat(1000)))
        .isEqualTo(Measure.plainBytes("a".repeat(2000)));
  }

  /// After any number of small objects large ones are taken for what they are.
  @Test
  void largeObjectsAfterSmallOnesAreMeasured() {
    Measure<Object> measure = new Measure<>(objects());
    for (int i = 0; i < 100_000; i++) {
      measure.bytes(List.of("a"));
    }
    long sum = 0;
    for (int i = 0; i < 20; i++) {
      sum += measure.bytes(new ArrayList<>(Collections.nCopies(1000, "a text of some length" + i)));
    }
    long one =
        measure.marshalledBytes(
            new ArrayList<>(Collections.nCopies(1000, "a text of some length" + 10)));
    assertThat(sum).isBetween(15 * one, 25 * one);
  }

  /// The same where nothing but their bytes shows that they are large.
  @Test
  void largeElementsAreMeasuredSoon() {
    Measure<Object> measure = new Measure<>(objects());
    for (int i = 0; i < 100_000; i++) {
      measure.bytes(List.of("a"));
    }
    long sum = 0;
    for (int i = 0; i < 100; i++) {
      sum += measure.bytes(List.of("x".repeat(100_000)));
    }
    assertThat(sum).isGreaterThan(80 * 100_000L);
  }
}
