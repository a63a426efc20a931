package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// What is true of each codec of keys.
final class CodecLaws {
  private CodecLaws() {}

  /// Values are read as they were written, and bytes come in the order that is expected and that
  /// the codec declares. Compares each value with some hundred others: all pairs of thousands would
  /// take long.
  static <T> void requireFaithfulAndOrdered(
      long seed, Codec<T> codec, List<T> values, Comparator<? super T> expected) {
    for (T value : values) {
      assertThat(codec.decode(codec.encode(value))).as("seed=%d", seed).isEqualTo(value);
    }
    List<T> partners = values.subList(0, Math.min(values.size(), 100));
    for (T left : values) {
      byte[] leftBytes = codec.encode(left);
      for (T right : partners) {
        int order = Integer.signum(expected.compare(left, right));
        assertThat(Integer.signum(Arrays.compareUnsigned(leftBytes, codec.encode(right))))
            .as("byte order of %s and %s, seed=%d", left, right, seed)
            .isEqualTo(order);
        assertThat(Integer.signum(reported(codec).compare(left, right)))
            .as("declared order of %s and %s, seed=%d", left, right, seed)
            .isEqualTo(order);
      }
    }
  }

  @SuppressWarnings("unchecked") // no comparator: the values are Comparable
  private static <T> Comparator<? super T> reported(Codec<T> codec) {
    Comparator<? super T> reported = codec.comparator();
    return reported == null ? (Comparator<T>) Comparator.naturalOrder() : reported;
  }
}
