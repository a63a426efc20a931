package io.varve.internal.page;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

/// Keys that are hard to tell apart: with shared prefixes, equal heads, zeros at the end, high
/// bytes, none at all and the greatest length.
final class Keys {
  static final int BYTES_MAX = 4096;

  private Keys() {}

  /// Few enough that the same key comes again.
  static Arbitrary<byte[]> any() {
    return Arbitraries.frequencyOf(
        tuple(10, numbered("user:", 300)),
        tuple(6, numbered("", 100)),
        tuple(6, tail("", 4)),
        tuple(6, tail("head", 3)),
        tuple(2, numbered("a long prefix that is shared by some of the keys/", 50)),
        tuple(1, tail("x".repeat(700), 2)),
        tuple(1, longest()));
  }

  private static Tuple2<Integer, Arbitrary<? extends byte[]>> tuple(
      int frequency, Arbitrary<byte[]> keys) {
    return Tuple.of(frequency, keys);
  }

  private static Arbitrary<byte[]> numbered(String prefix, int count) {
    return Arbitraries.integers().between(0, count - 1).map(number -> latin(prefix + number));
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// The prefix and up to `length` of the bytes that orders get wrong.
  private static Arbitrary<byte[]> tail(String prefix, int length) {
    byte[] start = latin(prefix);
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7f, (byte) 0x80, (byte) 0xff)
        .array(byte[].class)
        .ofMinSize(0)
        .ofMaxSize(length)
        .map(tail -> {
          byte[] key = Arrays.copyOf(start, start.length + tail.length);
          System.arraycopy(tail, 0, key, start.length, tail.length);
          return key;
        });
  }

  private static Arbitrary<byte[]> longest() {
    return Arbitraries.integers()
        .between(0, 5)
        .map(number -> {
          byte[] key = new byte[BYTES_MAX];
          Arrays.fill(key, (byte) 'z');
          key[BYTES_MAX - 1] = number.byteValue();
          return key;
        });
  }
}
