package io.varve.query.internal.access;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Numbers of all types in one order, by their exact values: 1, 1.0 and 1.00 have the same bytes.
///
/// A number is 0.D x 100^E, with the digits D to the base 100, the first of them not 0:
///
/// | bytes | what |
/// |------:|------|
/// | 1     | sign, and E if it is -8 to 12 |
/// | 8     | E, in all other cases |
/// | n     | digits, each plus 1, without zeros at the end |
/// | 1     | 0; or, if there are more digits than the bound, 255 and a [Digest] of them all |
///
/// All after the first byte is complemented for negative numbers. 42 takes 3 bytes, the largest
/// long 12; doubles that are no short decimals up to some 30, in rare cases hundreds, as their
/// exact values have as many digits.
final class NumberForm {
  static final int TAG_MIN = 0x20;
  static final int TAG_MAX = 0x62;

  private static final int NEGATIVE_INFINITY = TAG_MIN;
  private static final int ZERO = 0x40;
  private static final int POSITIVE_INFINITY = 0x60;
  private static final int NAN = TAG_MAX;

  private static final int EXPONENT_MIN = -8;
  private static final int EXPONENT_MAX = 12;

  /// How far the tag of a sign is from zero for the smallest exponents.
  private static final int BELOW = 1;

  private static final int ABOVE = BELOW + EXPONENT_MAX - EXPONENT_MIN + 2;

  private static final int END = 0;
  private static final int CUT = 0xff;
  private static final int BASE = 100;

  private NumberForm() {}

  /// Writes a number in its normal form ([io.varve.query.Values#normal]).
  ///
  /// @return how many bytes the sink has up to the digest, if there were too many digits, or -1
  static int write(Number number, int digitsMax, ByteSink sink) {
    return switch (number) {
      case Long value -> writeLong(value, digitsMax, sink);
      case Double value -> writeDouble(value, digitsMax, sink);
      case BigDecimal value -> writeDecimal(value, digitsMax, sink);
      default -> throw new IllegalStateException("not a normal form: " + number.getClass());
    };
  }

  private static int writeDouble(double value, int digitsMax, ByteSink sink) {
    if (value == (long) value && Math.abs(value) < 1L << 53) {
      return writeLong((long) value, digitsMax, sink);
    }
    if (Double.isFinite(value)) {
      return writeDecimal(new BigDecimal(value), digitsMax, sink);
    }
    return writeSpecial(value, sink);
  }

  private static int writeSpecial(double value, ByteSink sink) {
    sink.add(Double.isNaN(value) ? NAN : value > 0 ? POSITIVE_INFINITY : NEGATIVE_INFINITY);
    return -1;
  }

  private static int writeLong(long value, int digitsMax, ByteSink sink) {
    if (value == Long.MIN_VALUE) {
      return writeDecimal(BigDecimal.valueOf(value), digitsMax, sink);
    }
    int exponent = 0;
    long digits = Math.abs(value);
    for (long rest = digits; rest != 0; rest /= BASE) {
      exponent++;
    }
    int count = exponent;
    while (digits != 0 && digits % BASE == 0) {
      digits /= BASE;
      count--;
    }
    byte[] written = new byte[count];
    for (int i = count - 1; i >= 0; i--) {
      written[i] = (byte) (digits % BASE);
      digits /= BASE;
    }
    return writeDigits(Long.signum(value), exponent, written, digitsMax, sink);
  }

  private static int writeDecimal(BigDecimal value, int digitsMax, ByteSink sink) {
    if (value.signum() == 0) {
      return writeDigits(0, 0, new byte[0], digitsMax, sink);
    }
    String decimal = value.unscaledValue().abs().toString();
    long point = decimal.length() - (long) value.scale(); // 0.decimal x 10^point
    int last = decimal.length();
    while (decimal.charAt(last - 1) == '0') {
      last--;
    }
    int shift = (int) (point & 1); // an odd power of ten takes a zero before the first digit
    byte[] digits = new byte[(last + shift + 1) / 2];
    for (int i = 0; i < last; i++) {
      int position = i + shift;
      int digit = decimal.charAt(i) - '0';
      digits[position / 2] += (byte) ((position & 1) == 0 ? digit * 10 : digit);
    }
    return writeDigits(value.signum(), (point + shift) / 2, digits, digitsMax, sink);
  }

  private static int writeDigits(
      int sign, long exponent, byte[] digits, int digitsMax, ByteSink sink) {
    if (sign == 0) {
      sink.add(ZERO);
      return -1;
    }
    int distance =
        exponent < EXPONENT_MIN
            ? BELOW
            : exponent > EXPONENT_MAX ? ABOVE : BELOW + 1 + (int) exponent - EXPONENT_MIN;
    sink.add(ZERO + sign * distance);
    int start = sink.length();
    if (distance == BELOW || distance == ABOVE) {
      sink.addBigEndian(exponent ^ Long.MIN_VALUE, Long.BYTES);
    }
    int count = Math.min(digits.length, digitsMax);
    for (int i = 0; i < count; i++) {
      sink.add(digits[i] + 1);
    }
    int cutLength = -1;
    if (count == digits.length) {
      sink.add(END);
    } else {
      sink.add(CUT);
      cutLength = sink.length();
      sink.add(Digest.of(digits));
    }
    if (sign < 0) {
      sink.complementFrom(start);
    }
    return cutLength;
  }

  static void skip(PartReader reader) {
    int tag = reader.next();
    if (!hasDigits(tag)) {
      return;
    }
    int distance = Math.abs(tag - ZERO);
    if (tag < ZERO) {
      reader.toggleComplement();
    }
    if (distance == BELOW || distance == ABOVE) {
      reader.skip(Long.BYTES);
    }
    int digit = reader.next();
    while (digit != END && digit != CUT) {
      digit = reader.next();
    }
    if (digit == CUT) {
      reader.noteCut();
      reader.skip(Digest.BYTES);
    }
    if (tag < ZERO) {
      reader.toggleComplement();
    }
  }

  private static boolean hasDigits(int tag) {
    return tag != ZERO && tag != NEGATIVE_INFINITY && tag != POSITIVE_INFINITY && tag != NAN;
  }

  /// Reads a number: a [Long] if it is one, a [Double] that is not finite, or a [BigDecimal].
  static Number read(PartReader reader) {
    int tag = reader.next();
    if (!hasDigits(tag)) {
      return switch (tag) {
        case ZERO -> 0L;
        case NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
        case POSITIVE_INFINITY -> Double.POSITIVE_INFINITY;
        default -> Double.NaN;
      };
    }
    int distance = Math.abs(tag - ZERO);
    boolean isNegative = tag < ZERO;
    if (isNegative) {
      reader.toggleComplement();
    }
    long exponent =
        distance == BELOW || distance == ABOVE
            ? reader.nextBigEndian(Long.BYTES) ^ Long.MIN_VALUE
            : distance - BELOW - 1 + EXPONENT_MIN;
    var decimal = new StringBuilder();
    int digit = reader.next();
    while (digit != END && digit != CUT) {
      decimal.append((char) ('0' + (digit - 1) / 10)).append((char) ('0' + (digit - 1) % 10));
      digit = reader.next();
    }
    if (digit == CUT) {
      reader.noteCut();
      reader.skip(Digest.BYTES);
    }
    if (isNegative) {
      reader.toggleComplement();
    }
    var unscaled = new BigInteger(decimal.toString());
    return simplest(isNegative ? unscaled.negate() : unscaled, decimal.length() - 2 * exponent);
  }

  private static Number simplest(BigInteger unscaled, long scale) {
    BigDecimal value = new BigDecimal(unscaled).stripTrailingZeros();
    value = new BigDecimal(value.unscaledValue(), Math.toIntExact(value.scale() + scale));
    if (value.scale() <= 0 && value.precision() - (long) value.scale() <= 19) {
      BigInteger whole = value.toBigIntegerExact();
      if (whole.bitLength() < Long.SIZE) {
        return whole.longValue();
      }
    }
    return value;
  }
}
