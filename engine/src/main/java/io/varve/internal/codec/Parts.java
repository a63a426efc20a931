package io.varve.internal.codec;

import io.varve.Codec;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How codecs made of others write several values one after the other: so that the bytes come in
/// the order of the values, the first one first.
///
/// - A part of a codec whose values all have one length, known from its id, is written as it is.
/// - Any other has each byte 0 written as 0, 255, and ends with 0, 0. So no part starts another
///   one, and what ends comes before what continues.
/// - A part with nothing after it, up to the end of the bytes, is written as it is.
final class Parts {
  private static final byte ESCAPED = (byte) 0xff;
  private static final int TERMINATOR_BYTES = 2;
  private static final int BYTES_MIN = 32;
  private static final long EACH_BYTE_1 = 0x0101010101010101L;

  /// By id.
  private static final Map<String, Integer> LENGTHS =
      Stream.of(
              BoolCodec.INSTANCE,
              DurationCodec.INSTANCE,
              Float64Codec.INSTANCE,
              InstantCodec.INSTANCE,
              Int32Codec.INSTANCE,
              Int64Codec.INSTANCE,
              LocalDateCodec.INSTANCE,
              LocalDateTimeCodec.INSTANCE,
              UuidCodec.INSTANCE)
          .collect(Collectors.toUnmodifiableMap(FixedLengthCodec::id, FixedLengthCodec::length));

  private Parts() {}

  /// The length of all values of `codec`, or -1 if none is known from its id. Codecs of one id have
  /// the same form as a part, whichever class implements them.
  static int lengthOf(Codec<?> codec) {
    return switch (codec) {
      case FixedLengthCodec<?> fixed -> fixed.length();
      case VariableLengthCodec<?> _ -> -1;
      default -> lengthOf(codec.id());
    };
  }

  private static int lengthOf(String id) {
    return LENGTHS.getOrDefault(id, -1);
  }

  /// Whether `codec` reads, as a part, what the codec of an id wrote as one.
  static boolean reads(Codec<?> codec, String id) {
    return lengthOf(codec) == lengthOf(id) && codec.reads(id);
  }

  /// The order of the bytes of `codec` as a comparator of values.
  @SuppressWarnings("unchecked") // without a comparator, values are comparable
  static <T> Comparator<? super T> order(Codec<T> codec) {
    Comparator<? super T> order = codec.comparator();
    return order == null ? (Comparator<T>) Comparator.naturalOrder() : order;
  }

  /// Takes parts and gives their bytes.
  static final class Writer {
    private byte[] bytes = new byte[BYTES_MIN];
    private int length;

    void writeByte(int value) {
      reserve(1);
      bytes[length++] = (byte) value;
    }

    /// Writes a part of `codec`.
    ///
    /// @param last whether nothing follows
    void write(Codec<?> codec, byte[] part, boolean last) {
      if (last || lengthOf(codec) >= 0) {
        append(part, 0, part.length);
      } else {
        writeEscaped(part);
      }
    }

    private void writeEscaped(byte[] part) {
      int start = 0;
      for (int index = 0; index < part.length; index++) {
        if (part[index] == 0) {
          append(part, start, index + 1);
          writeByte(ESCAPED);
          start = index + 1;
        }
      }
      append(part, start, part.length);
      writeByte(0);
      writeByte(0);
    }

    private void append(byte[] part, int from, int to) {
      reserve(to - from);
      System.arraycopy(part, from, bytes, length, to - from);
      length += to - from;
    }

    private void reserve(int count) {
      int needed = Math.addExact(length, count);
      if (needed > bytes.length) {
        long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 16);
        bytes = Arrays.copyOf(bytes, Math.max(needed, (int) doubled));
      }
    }

    byte[] toBytes() {
      return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }
  }

  /// Takes apart what a [Writer] wrote.
  static final class Reader {
    private final Codec<?> codec;
    private final byte[] bytes;
    private int offset;

    /// @param codec of the whole, for messages
    Reader(Codec<?> codec, byte[] bytes) {
      this.codec = codec;
      this.bytes = bytes;
    }

    boolean isAtEnd() {
      return offset == bytes.length;
    }

    int readByte() {
      if (isAtEnd()) {
        throw Malformed.refusal(codec.toString(), "bytes", "more than " + offset, offset);
      }
      return bytes[offset++] & 0xff;
    }

    /// Reads a part of `codec`, as it was written.
    <T> T read(Codec<T> part, boolean last) {
      return read(part, lengthOf(part), last);
    }

    /// Reads a part whose codec has that [#lengthOf(Codec)]. Numbers and most texts are read where
    /// they are.
    @SuppressWarnings("unchecked") // the codec of strings
    <T> T read(Codec<T> part, int fixedLength, boolean last) {
      if (part instanceof FixedLengthCodec<T> fixed
          && (last ? fixedLength == bytes.length - offset : fixedLength <= bytes.length - offset)) {
        offset += fixedLength;
        return fixed.read(bytes, offset - fixedLength);
      }
      if (part instanceof StringCodec strings) {
        int from = offset;
        int end = last ? bytes.length : plainEnd();
        if (last || isEnd(end)) {
          offset = last ? end : end + TERMINATOR_BYTES;
          return (T) strings.decode(bytes, from, end);
        }
      }
      return part.decode(next(fixedLength, last));
    }

    private byte[] next(int fixedLength, boolean last) {
      if (fixedLength < 0 && !last) {
        return nextEscaped();
      }
      int length = last ? bytes.length - offset : fixedLength;
      if (length > bytes.length - offset) {
        throw Malformed.refusal(
            codec.toString(), "bytes at offset " + offset, fixedLength, bytes.length - offset);
      }
      offset += length;
      return Arrays.copyOfRange(bytes, offset - length, offset);
    }

    private byte[] nextEscaped() {
      int plainEnd = plainEnd();
      if (isEnd(plainEnd)) {
        byte[] plain = Arrays.copyOfRange(bytes, offset, plainEnd);
        offset = plainEnd + TERMINATOR_BYTES;
        return plain;
      }
      return nextWithEscapes();
    }

    /// Whether an escaped part ends there.
    private boolean isEnd(int at) {
      return at + 1 < bytes.length && bytes[at] == 0 && bytes[at + 1] == 0;
    }

    /// The offset of the next byte 0, or of the end. Most parts have none within.
    private int plainEnd() {
      int end = offset;
      while (end + Long.BYTES <= bytes.length
          && !hasZero((long) FixedLengthCodec.LONG.get(bytes, end))) {
        end += Long.BYTES;
      }
      while (end < bytes.length && bytes[end] != 0) {
        end++;
      }
      return end;
    }

    /// Whether one of eight bytes is 0 (Warren: Hacker's Delight, section 6-1).
    private static boolean hasZero(long word) {
      return (word - EACH_BYTE_1 & ~word & EACH_BYTE_1 << 7) != 0;
    }

    private byte[] nextWithEscapes() {
      byte[] part = new byte[escapedBytes()];
      int length = 0;
      while (true) {
        byte next = (byte) readByte();
        if (next == 0) {
          int code = readByte();
          if (code == 0) {
            return length == part.length ? part : Arrays.copyOf(part, length);
          }
          if (code != (ESCAPED & 0xff)) {
            throw Malformed.refusal(
                codec.toString(), "byte after 0 at offset " + offset, "0 or 255", code);
          }
        }
        part[length++] = next;
      }
    }

    /// The bytes up to the end of an escaped part, about as many as it has. An array for all that
    /// is left would make a list of many parts take memory by the square of its length.
    private int escapedBytes() {
      int end = offset;
      while (end < bytes.length
          && (bytes[end] != 0 || (end + 1 < bytes.length && bytes[end + 1] != 0))) {
        end += bytes[end] == 0 ? 2 : 1;
      }
      return end - offset;
    }
  }
}
