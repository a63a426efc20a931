package io.varve.test;

import io.varve.Range;
import io.varve.Space;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Keys, values and ranges that meet the edges: empty, long, alike to the last byte, all 0xff.
final class RandomKeys {
  private final SplittableRandom random;
  private final int universe;
  private final int valueBytesMax;
  private int sequence;

  RandomKeys(SplittableRandom random, int universe, int valueBytesMax) {
    this.random = random;
    this.universe = universe;
    this.valueBytesMax = valueBytesMax;
  }

  /// One of `universe` keys: the same number is the same key.
  byte[] key() {
    // Both a dense middle and the ends, where runs grow in order, are met often.
    int number =
        switch (random.nextInt(8)) {
          case 0 -> sequence++ % universe;
          case 1 -> random.nextInt(Math.min(8, universe));
          default -> random.nextInt(universe);
        };
    return keyOf(number);
  }

  private static byte[] keyOf(int number) {
    return switch (number % 23) {
      case 0 -> new byte[number % 7]; // zeros, empty first
      case 1 -> filled(1 + number % 40, 0xff, number);
      case 2 -> filled(900 + number % 300, 'p', number); // a long common prefix, over a page
      case 3 -> number < 100 ? filled(Space.KEY_BYTES_MAX, 'm', number) : text("m", number);
      case 4, 5, 6, 7, 8, 9 -> text("common/prefix/of/many/keys/", number);
      default -> text("", number);
    };
  }

  private static byte[] filled(int length, int value, int number) {
    byte[] key = new byte[length];
    Arrays.fill(key, (byte) value);
    for (int i = 0; i < Math.min(Integer.BYTES, length); i++) {
      key[length - 1 - i] = (byte) (number >> (8 * i));
    }
    return key;
  }

  private static byte[] text(String start, int number) {
    return (start + number).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  byte[] value() {
    int length =
        switch (random.nextInt(40)) {
          case 0 -> random.nextInt(valueBytesMax);
          case 1, 2 -> random.nextInt(Math.min(valueBytesMax, 3000));
          case 3 -> 0;
          case 4, 5, 6, 7 -> random.nextInt(Math.min(valueBytesMax, 400));
          default -> random.nextInt(40);
        };
    byte[] value = new byte[length];
    random.nextBytes(value);
    Arrays.fill(value, length / 2, length, (byte) '-'); // compresses
    return value;
  }

  Range range() {
    byte[] from = key();
    byte[] to = key();
    return switch (random.nextInt(9)) {
      case 0 -> Range.all();
      case 1 -> Range.atLeast(from);
      case 2 -> Range.lessThan(to);
      case 3 -> Range.greaterThan(from);
      case 4 -> Range.atMost(to);
      case 5 -> Range.prefix(Arrays.copyOf(from, Math.min(from.length, random.nextInt(30))));
      case 6 -> Range.exactly(from);
      default ->
          Arrays.compareUnsigned(from, to) <= 0 ? Range.closed(from, to) : Range.of(to, from);
    };
  }

  /// A range of a few keys.
  Range shortRange() {
    byte[] from = key();
    byte[] to = from.clone();
    if (to.length == 0) {
      return Range.exactly(from);
    }
    int last = to[to.length - 1] & 0xff;
    to[to.length - 1] = (byte) Math.min(0xff, last + random.nextInt(5));
    return Range.closed(from, to);
  }
}
