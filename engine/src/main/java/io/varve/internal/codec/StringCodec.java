package io.varve.internal.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Codec;
import java.util.Arrays;
import java.util.Comparator;

/// Strict UTF-8, whose byte order is the order of code points.
///
/// The JDK's own conversions replace what they cannot convert, and two different keys would become
/// one. They are also the fastest there are, so they are used, and what they replaced is looked
/// for.
public final class StringCodec implements Codec<String> {
  /// The only one: it has no state.
  public static final StringCodec INSTANCE = new StringCodec();

  private StringCodec() {}

  @Override
  public byte[] encode(String value) {
    requireSurrogatesPaired(value);
    return value.getBytes(UTF_8);
  }

  private static void requireSurrogatesPaired(String value) {
    int length = value.length();
    for (int index = 0; index < length; index++) {
      char unit = value.charAt(index);
      if (Character.isSurrogate(unit)) {
        if (Character.isLowSurrogate(unit)
            || index + 1 == length
            || !Character.isLowSurrogate(value.charAt(index + 1))) {
          throw new IllegalArgumentException(
              "string has an unpaired surrogate and so no UTF-8 form: index="
                  + index
                  + ", chars="
                  + length
                  + "; keep such strings with a codec of your own");
        }
        index++;
      }
    }
  }

  @Override
  public String decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  /// Decodes the bytes from one offset to another (exclusive).
  String decode(byte[] bytes, int from, int to) {
    String value = new String(bytes, from, to - from, UTF_8);
    if (value.indexOf('\ufffd') >= 0) {
      requireSame(Arrays.copyOfRange(bytes, from, to), value.getBytes(UTF_8));
    }
    return value;
  }

  /// A replacement character may have been in the string from the start; then writing it gives the
  /// bytes it was read from.
  private static void requireSame(byte[] bytes, byte[] rewritten) {
    int offset = Arrays.mismatch(bytes, rewritten);
    if (offset >= 0) {
      throw new IllegalArgumentException(
          "not a value of this codec: codec=string, fact=UTF-8, expected=well-formed,"
              + " found=malformed, offset="
              + offset
              + ", bytes="
              + bytes.length
              + "; use the codec that the bytes were written with");
    }
  }

  @Override
  public Comparator<? super String> comparator() {
    return StringCodec::compareCodePoints;
  }

  /// Compares as if by code point, without reading any: only where the first difference is between
  /// a surrogate and a unit above all surrogates does the order of UTF-16 units mislead.
  private static int compareCodePoints(String left, String right) {
    int lengthMin = Math.min(left.length(), right.length());
    for (int index = 0; index < lengthMin; index++) {
      char leftUnit = left.charAt(index);
      char rightUnit = right.charAt(index);
      if (leftUnit != rightUnit) {
        return Integer.compare(rank(leftUnit), rank(rightUnit));
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  /// Puts surrogates above all other units.
  private static int rank(char unit) {
    return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
  }

  @Override
  public String id() {
    return "string";
  }

  @Override
  public String toString() {
    return "Codec[string]";
  }
}
