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
      assertThat(KeySort.order(keys, size)).isEqualTo(stableOrder(keys, size));
    }
  }

  /// More keys than are merged: those that share more than a head, or all but one of them, and
  /// equal ones.
  @Test
  void manyKeysThatShareMuchAreSortedAsAStableSortDoes() {
    SplittableRandom random = new SplittableRandom(8);
    for (int round = 0; round < 60; round++) {
      int size = 100 + random.nextInt(3000);
      byte[][] keys = new byte[size][];
      byte[] shared = new byte[random.nextInt(30)];
      int kinds = 1 + random.nextInt(4);
      for (int i = 0; i < size; i++) {
        keys[i] =
            switch (random.nextInt(kinds)) {
              case 0 -> randomKey(random, shared);
              case 1 -> Arrays.copyOf(shared, random.nextInt(shared.length + 9));
              case 2 -> new byte[] {(byte) random.nextInt(3)};
              default -> randomKey(random, Arrays.copyOf(shared, shared.length + 9));
            };
      }
      assertThat(KeySort.order(keys, size)).isEqualTo(stableOrder(keys, size));
    }
  }

  /// Each key but the last has one byte more than the one before it shares with the rest.
  @Test
  void keysOfWhichEachDiffersOneByteLaterAreSorted() {
    int size = 2000;
    byte[][] keys = new byte[size][];
    for (int i = 0; i < size; i++) {
      keys[i] = new byte[size];
      keys[i][i] = 1;
    }
    assertThat(KeySort.order(keys, size)).isEqualTo(stableOrder(keys, size));
  }

  private static int[] stableOrder(byte[][] keys, int size) {
    return IntStream.range(0, size)
        .boxed()
        .sorted(Comparator.comparing(i -> keys[i], Arrays::compareUnsigned))
        .mapToInt(i -> i)
        .toArray();
  }
}
