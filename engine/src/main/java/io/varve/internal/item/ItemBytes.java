package io.varve.internal.item;

import io.varve.item.ComponentType;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The bytes of items: components one after the other, each of which determines its own end. So an
/// item starts with the bytes of another exactly if it starts with its components. No component
/// starts with a byte of 0 (what ends a text), nor with one above `0x88`.
///
/// | tag            | component    | then                                                           |
/// |----------------|--------------|----------------------------------------------------------------|
/// | `0x08 + n`     | entity class | the number in n bytes, 0 to 8, the least that hold it          |
/// | `0x18 + n`     | attribute    | the number in n bytes                                          |
/// | `0x24`         | string       | chars, then `0x00`                                             |
/// | `0x38 - n`     | long below 0 | n bytes, 0 to 8, the least that hold `~value`, not inverted    |
/// | `0x39 + n`     | other long   | n bytes, 0 to 8, the least that hold it                        |
/// | `0x48`         | double       | 8 bytes: negative ones inverted, others with the sign inverted |
/// | `0x4c`         | float        | 4 bytes, in the same way                                       |
/// | `0x50`, `0x51` | boolean      | nothing: false, true                                           |
/// | `0x60 - n`, `0x61 + n` | instant | seconds since 1970 as of a long; milliseconds x 2 and whether nanoseconds follow, in 2 bytes; these in 3 |
/// | `0x70`         | bytes        | bytes, then `0x00`                                             |
/// | `0x74`         | chars        | chars, then `0x00`                                             |
/// | `0x78 + n`     | index        | the number in n bytes                                          |
/// | `0x88`         | UUID         | 16 bytes                                                       |
///
/// Numbers are big-endian. A char is encoded as UTF-8 encodes a code point of that number, a
/// surrogate as any other. In texts and bytes, 0 is `0x01 0x01` and 1 is `0x01 0x02`.
public final class ItemBytes {
  static final int END = 0;
  static final int ESCAPE = 1;
  static final int ENTITY_CLASS = 0x08;
  static final int ATTRIBUTE = 0x18;
  static final int STRING = 0x24;
  static final int LONG_ZERO = 0x39;
  static final int DOUBLE = 0x48;
  static final int FLOAT = 0x4c;
  static final int FALSE = 0x50;
  static final int TRUE = 0x51;
  static final int INSTANT_ZERO = 0x61;
  static final int BYTES = 0x70;
  static final int CHARS = 0x74;
  static final int INDEX = 0x78;
  static final int UUID = 0x88;
  static final int NANOS_PER_MILLI = 1_000_000;

  /// Greater than every item: what a store keeps apart from items is here and above.
  static final byte[] BEYOND_ITEMS = {(byte) 0xf0};

  private ItemBytes() {}

  /// The type of the component that starts at `offset`, or null if no component starts so.
  public static @Nullable ComponentType type(byte[] bytes, int offset) {
    int tag = bytes[offset] & 0xff;
    if (isWithin(tag, ENTITY_CLASS, 8)) {
      return ComponentType.ENTITY_CLASS;
    }
    if (isWithin(tag, ATTRIBUTE, 8)) {
      return ComponentType.ATTRIBUTE;
    }
    if (isWithin(tag, LONG_ZERO - 9, 17)) {
      return ComponentType.LONG;
    }
    if (isWithin(tag, INSTANT_ZERO - 9, 17)) {
      return ComponentType.INSTANT;
    }
    if (isWithin(tag, INDEX, 8)) {
      return ComponentType.INDEX;
    }
    return switch (tag) {
      case STRING -> ComponentType.STRING;
      case DOUBLE -> ComponentType.DOUBLE;
      case FLOAT -> ComponentType.FLOAT;
      case FALSE, TRUE -> ComponentType.BOOLEAN;
      case BYTES -> ComponentType.BYTES;
      case CHARS -> ComponentType.CHARS;
      case UUID -> ComponentType.UUID;
      default -> null;
    };
  }

  private static boolean isWithin(int tag, int first, int more) {
    return tag >= first && tag <= first + more;
  }

  /// The bytes of the number after a tag of a long or of the seconds of an instant.
  private static int signedBytes(int tag, int zeroTag) {
    return tag < zeroTag ? zeroTag - 1 - tag : tag - zeroTag;
  }

  /// Where the component ends that starts at `offset`.
  ///
  /// @throws IllegalArgumentException if it is none, or is cut off at `end`
  public static int skip(byte[] bytes, int offset, int end) {
    ComponentType type = type(bytes, offset);
    if (type == null) {
      throw malformed(offset, end);
    }
    int tag = bytes[offset] & 0xff;
    int next =
        switch (type) {
          case ENTITY_CLASS -> offset + 1 + tag - ENTITY_CLASS;
          case ATTRIBUTE -> offset + 1 + tag - ATTRIBUTE;
          case INDEX -> offset + 1 + tag - INDEX;
          case LONG -> offset + 1 + signedBytes(tag, LONG_ZERO);
          case DOUBLE -> offset + 9;
          case FLOAT -> offset + 5;
          case BOOLEAN -> offset + 1;
          case INSTANT -> endOfInstant(bytes, offset, end);
          case UUID -> offset + 17;
          case STRING, BYTES, CHARS -> endOfText(bytes, offset + 1, end);
        };
    if (next > end) {
      throw malformed(offset, end);
    }
    return next;
  }

  private static int endOfInstant(byte[] bytes, int offset, int end) {
    int flag = offset + 2 + signedBytes(bytes[offset] & 0xff, INSTANT_ZERO);
    return (flag < end && (bytes[flag] & 1) != 0) ? flag + 4 : flag + 1;
  }

  private static int endOfText(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != END) {
      at++;
    }
    return at + 1;
  }

  private static IllegalArgumentException malformed(int offset, int end) {
    return new IllegalArgumentException(
        "bytes are no item: a component is unknown or cut off: offset="
            + offset
            + ", itemBytes="
            + end);
  }

  private static long bigEndian(byte[] bytes, int offset, int count) {
    long value = 0;
    for (int i = offset; i < offset + count; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }

  /// The number of an entity class at `offset`.
  public static long entityClass(byte[] bytes, int offset) {
    return bigEndian(bytes, offset + 1, (bytes[offset] & 0xff) - ENTITY_CLASS);
  }

  /// The number of an attribute at `offset`.
  public static long attribute(byte[] bytes, int offset) {
    return bigEndian(bytes, offset + 1, (bytes[offset] & 0xff) - ATTRIBUTE);
  }

  /// The index at `offset`.
  public static long index(byte[] bytes, int offset) {
    return bigEndian(bytes, offset + 1, (bytes[offset] & 0xff) - INDEX);
  }

  /// The long at `offset`.
  public static long int64(byte[] bytes, int offset) {
    return signed(bytes, offset, LONG_ZERO);
  }

  private static long signed(byte[] bytes, int offset, int zeroTag) {
    int tag = bytes[offset] & 0xff;
    int count = signedBytes(tag, zeroTag);
    long value = bigEndian(bytes, offset + 1, count);
    return (tag < zeroTag && count < Long.BYTES) ? value | (-1L << (8 * count)) : value;
  }

  /// The double at `offset`.
  public static double float64(byte[] bytes, int offset) {
    long bits = bigEndian(bytes, offset + 1, Long.BYTES);
    return Double.longBitsToDouble(bits ^ (~(bits >> 63) | Long.MIN_VALUE));
  }

  /// The float at `offset`.
  public static float float32(byte[] bytes, int offset) {
    int bits = (int) bigEndian(bytes, offset + 1, Integer.BYTES);
    return Float.intBitsToFloat(bits ^ (~(bits >> 31) | Integer.MIN_VALUE));
  }

  /// The boolean at `offset`.
  public static boolean bool(byte[] bytes, int offset) {
    return (bytes[offset] & 0xff) == TRUE;
  }

  /// The instant at `offset`.
  public static Instant instant(byte[] bytes, int offset) {
    int fraction = offset + 1 + signedBytes(bytes[offset] & 0xff, INSTANT_ZERO);
    long millis = bigEndian(bytes, fraction, 2);
    long rest = (millis & 1) == 0 ? 0 : bigEndian(bytes, fraction + 2, 3);
    return Instant.ofEpochSecond(
        signed(bytes, offset, INSTANT_ZERO), (millis >> 1) * NANOS_PER_MILLI + rest);
  }

  /// The UUID at `offset`.
  public static java.util.UUID uuid(byte[] bytes, int offset) {
    return new java.util.UUID(
        bigEndian(bytes, offset + 1, Long.BYTES), bigEndian(bytes, offset + 9, Long.BYTES));
  }

  /// Copies the bytes at `offset` into `target` from index 0, as many as fit. Allocates nothing.
  ///
  /// @return how many there are
  public static int readBytes(byte[] bytes, int offset, byte[] target) {
    int count = 0;
    for (int at = offset + 1; bytes[at] != END; at++) {
      int next = bytes[at];
      if (next == ESCAPE) {
        next = bytes[++at] - 1;
      }
      if (count < target.length) {
        target[count] = (byte) next;
      }
      count++;
    }
    return count;
  }

  /// The bytes at `offset`.
  ///
  /// @param end where the component ends
  public static byte[] bytes(byte[] bytes, int offset, int end) {
    byte[] longest = new byte[end - offset];
    return Arrays.copyOf(longest, readBytes(bytes, offset, longest));
  }

  /// Copies the chars of the string or the chars at `offset` into `target` from index 0, as many as
  /// fit. Allocates nothing.
  ///
  /// @return how many there are
  public static int readText(byte[] bytes, int offset, char[] target) {
    int count = 0;
    int at = offset + 1;
    while (bytes[at] != END) {
      int next = bytes[at];
      if (next == ESCAPE) {
        next = bytes[at + 1] - 1;
        at += 2;
      } else if (next >= 0) {
        at++;
      } else if ((next & 0xe0) == 0xc0) {
        next = (next & 0x1f) << 6 | (bytes[at + 1] & 0x3f);
        at += 2;
      } else {
        next = (next & 0x0f) << 12 | (bytes[at + 1] & 0x3f) << 6 | (bytes[at + 2] & 0x3f);
        at += 3;
      }
      if (count < target.length) {
        target[count] = (char) next;
      }
      count++;
    }
    return count;
  }

  /// The chars of the string or the chars at `offset`.
  ///
  /// @param end where the component ends
  public static char[] text(byte[] bytes, int offset, int end) {
    char[] longest = new char[end - offset];
    return Arrays.copyOf(longest, readText(bytes, offset, longest));
  }

  /// The least bytes that are greater than all that start with an item.
  static byte[] endOf(byte[] prefix) {
    if (prefix.length == 0) {
      return BEYOND_ITEMS;
    }
    int last = prefix.length - 1;
    while (prefix[last] == (byte) 0xff) {
      last--; // ends at the tag at the latest
    }
    byte[] end = Arrays.copyOf(prefix, last + 1);
    end[last]++;
    return end;
  }

  /// Whether `bytes` up to `length` start with `prefix`.
  static boolean startsWith(byte[] bytes, int length, byte[] prefix) {
    return length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }
}
