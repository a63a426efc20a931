package io.varve.internal.codec;

import io.varve.Codec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;

/// Decimal numbers by value, and those of one value by scale: 2.0 and 2.00 are two keys.
///
/// | bytes | field    | meaning                                                                    |
/// |------:|----------|----------------------------------------------------------------------------|
/// |     1 | sign     | 1 negative, 2 zero, 3 positive; of zero, the scale comes next              |
/// |     5 | exponent | e of 0.d1d2... x 10^e, where d1 is not 0, big-endian, the sign bit flipped |
/// |     n | digits   | two to a byte, plus 1: 1..100; the last pair is filled up with a zero      |
/// |     1 | end      | 0                                                                          |
/// |     4 | scale    | big-endian, the sign bit flipped                                           |
///
/// Zeros at the end of a number are not written: the scale shows how many there are. Of a negative
/// number, all bits of exponent, digits and end are flipped. The bound of digits keeps few bytes
/// from asking for much memory.
public final class BigDecimalCodec implements Codec<BigDecimal> {
  /// The only one: it has no state.
  public static final BigDecimalCodec INSTANCE = new BigDecimalCodec();

  private static final int DIGITS_MAX = 100_000;
  private static final byte NEGATIVE = 1;
  private static final byte ZERO = 2;
  private static final byte POSITIVE = 3;
  private static final int EXPONENT_BYTES = 5;
  private static final long EXPONENT_BIAS = 1L << (EXPONENT_BYTES * Byte.SIZE - 1);
  private static final int DIGITS_OFFSET = 1 + EXPONENT_BYTES;
  private static final int BYTES_MIN = DIGITS_OFFSET + 2 + Integer.BYTES;

  private BigDecimalCodec() {}

  @Override
  public byte[] encode(BigDecimal value) {
    // By bits first: to count the digits of a long number takes long.
    if (value.unscaledValue().bitLength() > 4L * DIGITS_MAX || value.precision() > DIGITS_MAX) {
      throw new IllegalArgumentException(
          "decimal number too long: bits="
              + value.unscaledValue().bitLength()
              + ", digitsMax="
              + DIGITS_MAX
              + "; round it");
    }
    if (value.signum() == 0) {
      byte[] bytes = new byte[1 + Integer.BYTES];
      bytes[0] = ZERO;
      writeScale(value.scale(), bytes);
      return bytes;
    }
    String digits = value.unscaledValue().abs().toString();
    long exponent = (long) digits.length() - value.scale();
    int length = digits.length();
    while (digits.charAt(length - 1) == '0') {
      length--;
    }
    int pairs = (length + 1) / 2;
    byte[] bytes = new byte[DIGITS_OFFSET + pairs + 1 + Integer.BYTES];
    bytes[0] = POSITIVE;
    long biased = exponent + EXPONENT_BIAS;
    for (int index = EXPONENT_BYTES; index > 0; index--, biased >>>= Byte.SIZE) {
      bytes[index] = (byte) biased;
    }
    for (int pair = 0; pair < pairs; pair++) {
      int low = 2 * pair + 1 < length ? digits.charAt(2 * pair + 1) - '0' : 0;
      bytes[DIGITS_OFFSET + pair] = (byte) ((digits.charAt(2 * pair) - '0') * 10 + low + 1);
    }
    if (value.signum() < 0) {
      bytes[0] = NEGATIVE;
      flip(bytes);
    }
    writeScale(value.scale(), bytes);
    return bytes;
  }

  private static void writeScale(int scale, byte[] bytes) {
    FixedLengthCodec.INT.set(bytes, bytes.length - Integer.BYTES, scale ^ Integer.MIN_VALUE);
  }

  private static void flip(byte[] bytes) {
    for (int index = 1; index < bytes.length - Integer.BYTES; index++) {
      bytes[index] = (byte) ~bytes[index];
    }
  }

  @Override
  public BigDecimal decode(byte[] bytes) {
    if (bytes.length <= Integer.BYTES) {
      throw malformed("bytes", "5 or more", bytes.length);
    }
    int scaleOffset = bytes.length - Integer.BYTES;
    int scale = (int) FixedLengthCodec.INT.get(bytes, scaleOffset) ^ Integer.MIN_VALUE;
    if (bytes[0] == ZERO) {
      if (scaleOffset != 1) {
        throw malformed("bytes of zero", 1 + Integer.BYTES, bytes.length);
      }
      return new BigDecimal(BigInteger.ZERO, scale);
    }
    if (bytes.length < BYTES_MIN || (bytes[0] != NEGATIVE && bytes[0] != POSITIVE)) {
      throw malformed("sign and bytes", "of a number", "others");
    }
    byte[] form = bytes.clone();
    if (bytes[0] == NEGATIVE) {
      flip(form);
    }
    long exponent = -EXPONENT_BIAS;
    for (int index = 1; index < DIGITS_OFFSET; index++) {
      exponent += (form[index] & 0xffL) << ((EXPONENT_BYTES - index) * Byte.SIZE);
    }
    BigInteger magnitude = magnitude(form, scaleOffset - 1, exponent + scale);
    return new BigDecimal(bytes[0] == NEGATIVE ? magnitude.negate() : magnitude, scale);
  }

  /// The digits as a number, with the zeros at its end.
  ///
  /// @param end offset of the byte after the digits
  /// @param length digits of the number
  private static BigInteger magnitude(byte[] form, int end, long length) {
    int pairs = end - DIGITS_OFFSET;
    if (length <= 0 || length > DIGITS_MAX || pairs > DIGITS_MAX || form[end] != 0) {
      throw malformed("digits", "1.." + DIGITS_MAX + " and an end", "others");
    }
    StringBuilder digits = new StringBuilder(2 * pairs);
    for (int index = DIGITS_OFFSET; index < end; index++) {
      int pair = form[index] - 1;
      if (pair < 0 || pair > 99) {
        throw malformed("pair of digits", "1..100", "another");
      }
      digits.append((char) ('0' + pair / 10)).append((char) ('0' + pair % 10));
    }
    if (digits.charAt(digits.length() - 1) == '0') {
      digits.setLength(digits.length() - 1);
    }
    boolean isOneForm = digits.charAt(0) != '0' && digits.charAt(digits.length() - 1) != '0';
    if (!isOneForm || digits.length() > length) {
      throw malformed("digits", "from the first that is not 0 to the last", "others");
    }
    digits.repeat('0', (int) length - digits.length());
    return new BigInteger(digits.toString());
  }

  private static IllegalArgumentException malformed(String fact, Object expected, Object found) {
    return Malformed.refusal("big-decimal", fact, expected, found);
  }

  /// Not the natural order, in which unequal numbers compare as equal.
  @Override
  public Comparator<? super BigDecimal> comparator() {
    return BigDecimalCodec::compare;
  }

  private static int compare(BigDecimal left, BigDecimal right) {
    int order = left.compareTo(right);
    return order != 0 ? order : Integer.compare(left.scale(), right.scale());
  }

  @Override
  public String id() {
    return "big-decimal";
  }

  @Override
  public String toString() {
    return "Codec[big-decimal]";
  }
}
