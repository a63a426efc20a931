package io.varve.test.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Durability;
import io.varve.Range;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// The random parts of a thread's steps.
final class Choices {
  static final List<String> SPACES = List.of("a", "b", "c");

  private static final List<Durability> DURABILITIES =
      List.of(Durability.POWER_LOSS, Durability.PROCESS_CRASH, Durability.BACKGROUND);
  private static final int KEY_PADDING_MAX = 40;

  /// An empty value; a quarter of a page of each size, over which a value has an extent of its own;
  /// units of extents; pages; and the least that is forced before its commit.
  private static final int[] BOUNDS = {
    0, 0, 256, 512, 1024, 2048, 4096, 8192, 16 << 10, 32 << 10, 64 << 10, 128 << 10
  };

  /// What is forced before its commit with larger logs; a chunk, two, and several.
  private static final int[] LONG_BOUNDS = {
    256 << 10, 512 << 10, 1 << 20, 2 << 20, 5 << 19, 5 << 20
  };

  private static final int LONG_SHARE = 40;

  /// Well below the least that is forced before its commit.
  private static final int LOGGED_BYTES_MAX = 100_000;

  private static final int LONG_KEY_PADDING_MAX = 700;

  private final SplittableRandom random;
  private final String writer;
  private final int keyCount;
  private final boolean contended;
  private final int valueBytesMax;
  private int values;

  /// @param writer starts every value, so that no other writer puts the same
  Choices(SplittableRandom random, String writer, Sizes sizes) {
    this.random = random;
    this.writer = writer;
    this.keyCount = sizes.keyCount();
    this.contended = sizes.contended();
    this.valueBytesMax = sizes.logsValues() ? LOGGED_BYTES_MAX : Integer.MAX_VALUE;
  }

  /// One of `0..bound-1`.
  int number(int bound) {
    return random.nextInt(bound);
  }

  /// True one time in `bound`.
  boolean oneIn(int bound) {
    return random.nextInt(bound) == 0;
  }

  /// Whether the log holds all values whole, and streams, which it does not, are not put.
  boolean logsValues() {
    return valueBytesMax == LOGGED_BYTES_MAX;
  }

  /// Whether threads are to meet at a few keys.
  boolean isContended() {
    return contended;
  }

  String space() {
    return contended && random.nextInt(8) > 0
        ? SPACES.getFirst()
        : SPACES.get(random.nextInt(SPACES.size()));
  }

  Durability durability() {
    return DURABILITIES.get(random.nextInt(DURABILITIES.size()));
  }

  /// A key whose length follows from its number, so that the same number is the same key.
  byte[] key() {
    int number = random.nextInt(keyCount);
    int padding =
        number % 17 == 3 ? number * 31 % LONG_KEY_PADDING_MAX : number * 7 % KEY_PADDING_MAX;
    return (number + "-".repeat(padding)).getBytes(UTF_8);
  }

  /// A text that no other step chooses, before or after.
  String label() {
    return writer + values++;
  }

  Range range() {
    return switch (random.nextInt(5)) {
      case 0 -> Range.all();
      case 1 -> Range.atLeast(key());
      case 2 -> Range.lessThan(key());
      case 3 -> Range.prefix(Arrays.copyOf(key(), 1));
      default -> {
        byte[] one = key();
        byte[] other = key();
        yield Arrays.compareUnsigned(one, other) <= 0
            ? Range.closed(one, other)
            : Range.of(other, one);
      }
    };
  }

  /// A value that no other step puts, before or after, unless it is shorter than what distinguishes
  /// them. Most are short; some are in extents of their own, and a few of those are not in the log.
  byte[] value() {
    byte[] start = (writer + values++ + "=").getBytes(UTF_8);
    int length =
        switch (random.nextInt(100)) {
          case 0 -> random.nextInt(200_000);
          case 1, 2 -> random.nextInt(20_000);
          case 3, 4, 5, 6, 7, 8 -> random.nextInt(4_000);
          case 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 -> random.nextInt(600);
          case 19, 20, 21, 22, 23 -> atBound();
          default -> start.length + random.nextInt(60);
        };
    byte[] value = Arrays.copyOf(start, Math.min(length, valueBytesMax));
    for (int i = start.length; i < value.length; i += 61) {
      value[i] = (byte) random.nextInt();
    }
    return value;
  }

  /// A length on either side of one at which values are stored otherwise.
  private int atBound() {
    int[] bounds = random.nextInt(LONG_SHARE) > 0 ? BOUNDS : LONG_BOUNDS;
    return Math.max(0, bounds[random.nextInt(bounds.length)] + random.nextInt(-2, 3));
  }
}
