package io.varve.internal.codec;

import io.varve.Codec;
import java.math.BigInteger;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// Integers of any size in natural order. First come the sign and the length of the magnitude,
/// which order numbers of different lengths, then the magnitude, big-endian.
///
/// | first byte    | then                                                                |
/// |---------------|---------------------------------------------------------------------|
/// | 0x80          | nothing: zero                                                       |
/// | 0x80 + length | a magnitude of 1 to 123 bytes                                       |
/// | 0xfb + size   | the length in `size` bytes, 1 to 4, as few as do; then a magnitude  |
///
/// A negative number has all bits of its magnitude's form flipped. Since no form starts another
/// one, that turns the order round.
public final class BigIntegerCodec implements Codec<BigInteger> {
  /// The only one: it has no state.
  public static final BigIntegerCodec INSTANCE = new BigIntegerCodec();

  private static final int ZERO = 0x80;
  private static final int SHORT_LENGTH_MAX = 123;
  private static final int LONG_FORM = ZERO + SHORT_LENGTH_MAX;

  private BigIntegerCodec() {}

  @Override
  public byte[] encode(BigInteger value) {
    if (value.signum() == 0) {
      return new byte[] {(byte) ZERO};
    }
    byte[] magnitude = value.abs().toByteArray();
    int leading = magnitude[0] == 0 ? 1 : 0; // of the sign
    int length = magnitude.length - leading;
    int lengthBytes = length <= SHORT_LENGTH_MAX ? 0 : bytesOf(length);
    byte[] form = new byte[1 + lengthBytes + length];
    form[0] = (byte) (lengthBytes == 0 ? ZERO + length : LONG_FORM + lengthBytes);
    for (int index = lengthBytes, rest = length; index > 0; index--, rest >>>= Byte.SIZE) {
      form[index] = (byte) rest;
    }
    System.arraycopy(magnitude, leading, form, 1 + lengthBytes, length);
    return value.signum() < 0 ? flipped(form) : form;
  }

  private static int bytesOf(int length) {
    return Integer.BYTES - Integer.numberOfLeadingZeros(length) / Byte.SIZE;
  }

  private static byte[] flipped(byte[] form) {
    byte[] flipped = new byte[form.length];
    for (int index = 0; index < form.length; index++) {
      flipped[index] = (byte) ~form[index];
    }
    return flipped;
  }

  @Override
  public BigInteger decode(byte[] bytes) {
    if (bytes.length == 0) {
      throw malformed("bytes", "1 or more", 0);
    }
    if (bytes[0] == (byte) ZERO) {
      if (bytes.length != 1) {
        throw malformed("bytes of zero", 1, bytes.length);
      }
      return BigInteger.ZERO;
    }
    boolean negative = bytes[0] >= 0;
    byte[] form = negative ? flipped(bytes) : bytes;
    int first = form[0] & 0xff;
    int lengthBytes = Math.max(0, first - LONG_FORM);
    if (first == ZERO || form.length <= lengthBytes) {
      throw malformed("length", "one of a magnitude", "none");
    }
    long length = lengthBytes == 0 ? first - ZERO : length(form, lengthBytes);
    int start = 1 + lengthBytes;
    if (length != form.length - start) {
      throw malformed("bytes of the magnitude", length, form.length - start);
    }
    if (form[start] == 0) {
      throw malformed("first byte of the magnitude", "not 0", 0);
    }
    return new BigInteger(negative ? -1 : 1, form, start, (int) length);
  }

  private long length(byte[] form, int lengthBytes) {
    long length = 0;
    for (int index = 1; index <= lengthBytes; index++) {
      length = (length << Byte.SIZE) | (form[index] & 0xff);
    }
    if (length <= SHORT_LENGTH_MAX
        || length > Integer.MAX_VALUE
        || bytesOf((int) length) != lengthBytes) {
      throw malformed("length", "in as few bytes as do", "in more");
    }
    return length;
  }

  private static IllegalArgumentException malformed(String fact, Object expected, Object found) {
    return Malformed.refusal("big-integer", fact, expected, found);
  }

  @Override
  public @Nullable Comparator<? super BigInteger> comparator() {
    return null;
  }

  @Override
  public String id() {
    return "big-integer";
  }

  @Override
  public String toString() {
    return "Codec[big-integer]";
  }
}
