package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putU16;
import static io.varve.internal.page.Bytes.u16;
import static io.varve.internal.page.MalformedImageException.require;

import java.util.Arrays;

/// A leaf as it is passed to a codec: what is alike is stored together, and nothing is stored
/// twice. Heads and offsets of slots, which compress badly, follow from the rest; of each key only
/// what differs from the key before is there.
///
/// | bytes  | field      | meaning                                                              |
/// |-------:|------------|----------------------------------------------------------------------|
/// |      4 | pageLength | as in a leaf's body                                                  |
/// |      2 | count      |                                                                      |
/// |      2 | prefix     | length of the prefix that all keys share                             |
/// | prefix |            | the prefix                                                           |
/// |        | shared     | `count` varints: bytes that a suffix shares with the one before      |
/// |        | rest       | `count` varints: its further bytes                                   |
/// |        | tags       | `count` varints: as in a record                                      |
/// |        | keys       | the further bytes of all suffixes                                    |
/// |        | values     | the values and references                                            |
///
/// Varints have seven bits to a byte, lowest first, the highest bit set in all but the last.
public final class LeafColumns {
  private static final int FIXED = 8;

  /// A varint of up to 16 bits.
  private static final int VARINT_BYTES_MAX = 3;

  private LeafColumns() {}

  /// The columns of a leaf's image.
  public static byte[] of(byte[] image) {
    int body = PageImage.HEADER_BYTES;
    int count = u16(image, body + 4);
    int prefix = u16(image, body + 6);
    int base = image.length - i32(image, body); // of offsets, which count from the page's start
    int[] records = new int[count];
    int[] shared = new int[count];
    for (int i = 0; i < count; i++) {
      records[i] = base + u16(image, body + FIXED + LeafPage.SLOT_BYTES * i + 4);
      shared[i] = i == 0 ? 0 : shared(image, records[i - 1], records[i]);
    }
    Writer to = new Writer(new byte[image.length + VARINT_BYTES_MAX * count]);
    to.bytes(image, body, FIXED);
    to.bytes(image, image.length - prefix, prefix);
    for (int i = 0; i < count; i++) {
      to.varint(shared[i]);
    }
    for (int i = 0; i < count; i++) {
      to.varint(u16(image, records[i]) - shared[i]);
    }
    for (int record : records) {
      to.varint(u16(image, record + 2));
    }
    for (int i = 0; i < count; i++) {
      int key = records[i] + LeafPage.RECORD_HEADER;
      to.bytes(image, key + shared[i], u16(image, records[i]) - shared[i]);
    }
    for (int record : records) {
      int value = record + LeafPage.RECORD_HEADER + u16(image, record);
      to.bytes(image, value, u16(image, record + 2) & ~LeafPage.LARGE);
    }
    return Arrays.copyOf(to.target, to.at);
  }

  private static int shared(byte[] image, int before, int record) {
    int a = before + LeafPage.RECORD_HEADER;
    int b = record + LeafPage.RECORD_HEADER;
    int mismatch =
        Arrays.mismatch(image, a, a + u16(image, before), image, b, b + u16(image, record));
    return mismatch < 0 ? u16(image, record) : mismatch;
  }

  /// The image of a leaf from its columns, all but the header. Records are in the order of keys.
  /// What the keys are is for [PageImage#toLeaf] to check.
  ///
  /// @param columns after [PageImage#HEADER_BYTES] bytes that are left alone
  /// @throws MalformedImageException if they make no sense
  public static byte[] toImage(byte[] columns) {
    try {
      return decode(columns);
    } catch (IndexOutOfBoundsException _) {
      throw new MalformedImageException("columns of a leaf cut short");
    }
  }

  private static byte[] decode(byte[] columns) {
    int body = PageImage.HEADER_BYTES;
    int count = u16(columns, body + 4);
    int prefix = u16(columns, body + 6);
    Reader from = new Reader(columns, body + FIXED + prefix);
    int[] shared = from.varints(count);
    int[] rest = from.varints(count);
    int[] tags = from.varints(count);
    int records = prefix;
    int keys = from.at;
    int values = keys;
    for (int i = 0, suffixBefore = 0; i < count; i++) {
      require(shared[i] <= suffixBefore, "key that shares more than there is");
      suffixBefore = shared[i] + rest[i];
      records += LeafPage.RECORD_HEADER + suffixBefore + (tags[i] & ~LeafPage.LARGE);
      require(records <= LeafPage.BYTES_MAX, "columns of more than a leaf");
      values += rest[i];
    }
    int at = body + FIXED + LeafPage.SLOT_BYTES * count;
    byte[] image = new byte[at + records];
    System.arraycopy(columns, body, image, body, FIXED);
    System.arraycopy(columns, body + FIXED, image, image.length - prefix, prefix);
    int base = image.length - i32(image, body);
    for (int i = 0, before = 0; i < count; i++) {
      int suffix = shared[i] + rest[i];
      int value = tags[i] & ~LeafPage.LARGE;
      int key = at + LeafPage.RECORD_HEADER;
      putU16(image, at, suffix);
      putU16(image, at + 2, tags[i]);
      System.arraycopy(image, before, image, key, shared[i]);
      System.arraycopy(columns, keys, image, key + shared[i], rest[i]);
      System.arraycopy(columns, values, image, key + suffix, value);
      int slot = body + FIXED + LeafPage.SLOT_BYTES * i;
      putI32(image, slot, Bytes.head(image, key, key + suffix));
      putU16(image, slot + 4, at - base);
      keys += rest[i];
      values += value;
      before = key;
      at = key + suffix + value;
    }
    require(values == columns.length, "bytes after the columns");
    return image;
  }

  private static final class Writer {
    private final byte[] target;
    private int at;

    Writer(byte[] target) {
      this.target = target;
    }

    void bytes(byte[] source, int offset, int length) {
      System.arraycopy(source, offset, target, at, length);
      at += length;
    }

    void varint(int value) {
      int rest = value;
      for (; rest > 0x7f; rest >>>= 7) {
        target[at++] = (byte) (rest | 0x80);
      }
      target[at++] = (byte) rest;
    }
  }

  private static final class Reader {
    private final byte[] source;
    private int at;

    Reader(byte[] source, int at) {
      this.source = source;
      this.at = at;
    }

    int[] varints(int count) {
      int[] values = new int[count];
      for (int i = 0; i < count; i++) {
        values[i] = varint();
      }
      return values;
    }

    private int varint() {
      int value = 0;
      for (int shift = 0; shift < 7 * VARINT_BYTES_MAX; shift += 7) {
        byte next = source[at++];
        value |= (next & 0x7f) << shift;
        if (next >= 0) {
          require(value <= 0xffff, "number of more than 16 bits");
          return value;
        }
      }
      throw new MalformedImageException("number of more than 16 bits");
    }
  }
}
