package io.varve.internal.item;

import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;

/// Writes components one after the other, so that the unsigned order of the bytes is the order of
/// the items. [ItemBytes] has the table of tags.
///
/// For one thread at a time.
public final class ItemWriter {
  private static final int INITIAL_BYTES = 64;

  private byte[] bytes = new byte[INITIAL_BYTES];
  private int length;

  /// The number of bytes written.
  public int length() {
    return length;
  }

  /// A copy of the bytes written.
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /// Forgets all that follows the first `kept` bytes.
  public void truncate(int kept) {
    length = kept;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }

  private void add(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
  }

  /// Adds components that are encoded already.
  public void encoded(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  private void bigEndian(long value, int count) {
    reserve(count);
    for (int shift = (count - 1) * 8; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /// The least number of bytes that hold a number that is not negative.
  private static int bytesOf(long value) {
    return (64 - Long.numberOfLeadingZeros(value) + 7) / 8;
  }

  /// Adds a number that is not negative: a tag with the count of its bytes, and then these.
  private void unsigned(int tag, long value) {
    int count = bytesOf(value);
    add(tag + count);
    bigEndian(value, count);
  }

  /// Adds a number. The tag of one that is not negative grows with its bytes, that of a negative
  /// one shrinks with them. So the tag alone orders numbers of different length.
  private void signed(int zeroTag, long value) {
    int count = bytesOf(value < 0 ? ~value : value);
    add(value < 0 ? zeroTag - 1 - count : zeroTag + count);
    bigEndian(value, count);
  }

  /// Adds the number of an entity class.
  public void entityClass(long number) {
    unsigned(ItemBytes.ENTITY_CLASS, number);
  }

  /// Adds the number of an attribute.
  public void attribute(long number) {
    unsigned(ItemBytes.ATTRIBUTE, number);
  }

  /// Adds an index, which is not negative.
  public void index(long value) {
    unsigned(ItemBytes.INDEX, value);
  }

  /// Adds a long.
  public void int64(long value) {
    signed(ItemBytes.LONG_ZERO, value);
  }

  /// Adds a double: its bits with the sign inverted, or all of them if it is negative.
  public void float64(double value) {
    long bits = Double.doubleToLongBits(value);
    add(ItemBytes.DOUBLE);
    bigEndian(bits ^ ((bits >> 63) | Long.MIN_VALUE), Long.BYTES);
  }

  /// Adds a float, as a double.
  public void float32(float value) {
    int bits = Float.floatToIntBits(value);
    add(ItemBytes.FLOAT);
    bigEndian(bits ^ ((bits >> 31) | Integer.MIN_VALUE), Integer.BYTES);
  }

  /// Adds a boolean: a tag alone.
  public void bool(boolean value) {
    add(value ? ItemBytes.TRUE : ItemBytes.FALSE);
  }

  /// Adds an instant: seconds as a long, then two bytes of milliseconds and whether there is more,
  /// and three of what is more.
  public void instant(Instant value) {
    signed(ItemBytes.INSTANT_ZERO, value.getEpochSecond());
    int millis = value.getNano() / ItemBytes.NANOS_PER_MILLI;
    int rest = value.getNano() % ItemBytes.NANOS_PER_MILLI;
    bigEndian((millis << 1) | (rest == 0 ? 0 : 1), 2);
    if (rest != 0) {
      bigEndian(rest, 3);
    }
  }

  /// Adds a UUID.
  public void uuid(UUID value) {
    add(ItemBytes.UUID);
    bigEndian(value.getMostSignificantBits(), Long.BYTES);
    bigEndian(value.getLeastSignificantBits(), Long.BYTES);
  }

  /// Adds bytes, those that are 0 or 1 escaped, and a 0 that ends them.
  public void bytes(byte[] value, int offset, int count) {
    add(ItemBytes.BYTES);
    reserve(count + 1);
    for (int i = offset; i < offset + count; i++) {
      int next = value[i];
      if ((next & ~1) == 0) {
        escaped(next);
      } else {
        add(next);
      }
    }
    add(ItemBytes.END);
  }

  /// Adds a string.
  public void string(CharSequence value) {
    add(ItemBytes.STRING);
    text(value, 0, value.length());
  }

  /// Adds chars.
  public void chars(CharSequence value, int offset, int count) {
    add(ItemBytes.CHARS);
    text(value, offset, count);
  }

  /// Each char by itself in the form that UTF-8 gives it, which keeps their order; those that are 0
  /// or 1 escaped, and a 0 at the end.
  private void text(CharSequence value, int offset, int count) {
    reserve(count + 1);
    for (int i = offset; i < offset + count; i++) {
      char next = value.charAt(i);
      if (next < 0x80) {
        if (next > 1) {
          add(next);
        } else {
          escaped(next);
        }
      } else if (next < 0x800) {
        add(0xc0 | next >> 6);
        add(0x80 | (next & 0x3f));
      } else {
        add(0xe0 | next >> 12);
        add(0x80 | ((next >> 6) & 0x3f));
        add(0x80 | (next & 0x3f));
      }
    }
    add(ItemBytes.END);
  }

  private void escaped(int zeroOrOne) {
    add(ItemBytes.ESCAPE);
    add(zeroOrOne + 1);
  }
}
