package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class KeySortTest {
  /// Keys of few different bytes and lengths, so that many share a prefix, or are equal.
  private static byte[] randomKey(SplittableRandom random, byte[] prefix) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + random.nextInt(14));
    for (int i = prefix.length; i < key.length; i++) {
      key[i] = (byte) new int[] {0, 1, 0x7f, 0x80, 0xff}[random.nextInt(5)];
    }
    return key;
  }

  @Test
  void sortsAsAStableSortByUnsignedBytes() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      byte[] prefix = new byte[random.nextInt(12)];
      random.nextBytes(prefix);
      int size = 1 + random.nextInt(200);
      byte[][] keys = new byte[size + random.nextInt(20)][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = randomKey(random, prefix);
      }
      int[] expected =
          IntStream.range(0, size)
              .boxed()
              .sorted(Comparator.comparing(i -> keys[i], Arrays::compareUnsigned))
              .mapToInt(i -> i)
              .toArray();
      assertThat(KeySort.order(keys, size)).isEqualTo(expected);
    }
  }
}
