package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;
import static io.varve.internal.page.Bytes.putU16;
import static io.varve.internal.page.Bytes.u16;
import static io.varve.internal.page.MalformedImageException.require;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What is written to an extent: a header that names the page, for salvage, and a body. All
/// integers are little-endian.
///
/// | offset | bytes | field    | meaning                                                       |
/// |-------:|------:|----------|---------------------------------------------------------------|
/// |      0 |     4 | magic    | `VRVp`                                                        |
/// |      4 |     4 | checksum | CRC-32C of every later byte; the referrer holds it too        |
/// |      8 |     1 | kind     | [Kind]                                                        |
/// |      9 |     1 | level    | of an inner page, else 0                                      |
/// |     10 |     1 | cipher   | 0: the body is in clear; 1: encrypted, see `PageCipher`       |
/// |     11 |     1 | codec    | 0: the body is not compressed; else see `PageCompressor`      |
/// |     12 |     4 | space    | id of the space                                               |
/// |     16 |     4 | length   | bytes of the body                                             |
/// |     20 |     4 | clear    | bytes of the body before it was compressed; 0 if it is not    |
/// |     24 |     8 | epoch    | in which the page was made                                    |
/// |     32 |       | body     |                                                               |
///
/// A leaf's body is its page without the gap: page length (4), count (2), prefix length (2), slots,
/// records and prefix. An inner page's body is count (2), the children ([References]), and the
/// separators between them (length 2, bytes).
public final class PageImage {
  /// What an extent holds.
  public enum Kind {
    LEAF(1),
    INNER(2),
    LARGE_CHUNK(3),
    LARGE_INDEX(4),
    CATALOG(5);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  public static final int HEADER_BYTES = 32;
  static final int MAGIC = 0x70565256;

  public static final int CHECKSUM = 4;
  public static final int KIND = 8;
  private static final int LEVEL = 9;
  public static final int CIPHER = 10;
  public static final int COMPRESSION = 11;
  private static final int SPACE = 12;
  public static final int LENGTH = 16;
  public static final int CLEAR_LENGTH = 20;
  private static final int EPOCH = 24;

  private static final int LEAF_FIXED = 8;

  private PageImage() {}

  /// Fills the header of an image whose body is in place, and gives the checksum.
  public static int seal(byte[] image, int bytes, Kind kind, int level, int space, long epoch) {
    putI32(image, 0, MAGIC);
    image[KIND] = (byte) kind.code;
    image[LEVEL] = (byte) level;
    putI32(image, SPACE, space);
    putI32(image, LENGTH, bytes - HEADER_BYTES);
    putI64(image, EPOCH, epoch);
    int checksum = checksum(image, bytes);
    putI32(image, CHECKSUM, checksum);
    return checksum;
  }

  /// The checksum of an image; of one that a damaged reference makes shorter than its header too.
  public static int checksum(byte[] image, int bytes) {
    CRC32C crc = new CRC32C();
    int from = Math.min(KIND, bytes);
    crc.update(image, from, bytes - from);
    return (int) crc.getValue();
  }

  /// The epoch in which what an image holds was made.
  public static long epoch(byte[] image) {
    return i64(image, EPOCH);
  }

  /// The id of the space that an image belongs to; 0 for a catalog.
  public static int space(byte[] image) {
    return i32(image, SPACE);
  }

  /// The level of the page in an image; 0 unless it is an inner page's.
  public static int level(byte[] image) {
    return image[LEVEL];
  }

  /// Whether the body of an image is not encrypted.
  public static boolean isClear(byte[] image) {
    return image[CIPHER] == 0;
  }

  /// Whether the body of an image is compressed.
  public static boolean isCompressed(byte[] image) {
    return image[COMPRESSION] != 0;
  }

  /// The checksum in the header of an image, for its referrer.
  public static int storedChecksum(byte[] image) {
    return i32(image, CHECKSUM);
  }

  /// Whether an image is whole, of the kind expected and the one that its referrer means.
  public static boolean isValid(byte[] image, Kind kind, int checksum) {
    return isHeader(image, kind, checksum, image.length)
        && checksum(image, image.length) == checksum;
  }

  /// The length of the image whose header may be at `offset`; 0 if there is none.
  public static int claimedBytes(byte[] bytes, int offset) {
    int body = i32(bytes, offset + LENGTH);
    return i32(bytes, offset) == MAGIC && body >= 0 && body <= Extent.BYTES_MAX - HEADER_BYTES
        ? HEADER_BYTES + body
        : 0;
  }

  /// The kind of the image whose header may be at `offset`; null if there is none like that.
  public static @Nullable Kind claimedKind(byte[] bytes, int offset) {
    for (Kind kind : Kind.values()) {
      if (bytes[offset + KIND] == kind.code) {
        return kind;
      }
    }
    return null;
  }

  /// Whether an image of whatever kind is whole and has that checksum.
  public static boolean isWhole(byte[] image, int checksum) {
    return image.length >= HEADER_BYTES
        && i32(image, 0) == MAGIC
        && i32(image, CHECKSUM) == checksum
        && i32(image, LENGTH) == image.length - HEADER_BYTES
        && checksum(image, image.length) == checksum;
  }

  /// Whether a header is that of the image of `bytes` bytes that its referrer means.
  public static boolean isHeader(byte[] header, Kind kind, int checksum, int bytes) {
    return header.length >= HEADER_BYTES
        && i32(header, 0) == MAGIC
        && i32(header, CHECKSUM) == checksum
        && header[KIND] == kind.code
        && i32(header, LENGTH) == bytes - HEADER_BYTES;
  }

  /// The image of a leaf, with its records in key order ([RecordOrder#inOrder]).
  public static byte[] ofLeaf(byte[] page, int space, long epoch) {
    byte[] ordered = RecordOrder.inOrder(page);
    int slots = LeafPage.SLOT_BYTES * LeafPage.count(ordered);
    int heap = u16(ordered, LeafPage.HEAP);
    int records = ordered.length - heap;
    byte[] image = new byte[HEADER_BYTES + LEAF_FIXED + slots + records];
    int at = HEADER_BYTES;
    putI32(image, at, ordered.length);
    putU16(image, at + 4, LeafPage.count(ordered));
    putU16(image, at + 6, u16(ordered, LeafPage.PREFIX));
    System.arraycopy(ordered, LeafPage.SLOTS, image, at + LEAF_FIXED, slots);
    System.arraycopy(ordered, heap, image, at + LEAF_FIXED + slots, records);
    seal(image, image.length, Kind.LEAF, 0, space, epoch);
    return image;
  }

  /// The page in memory of a leaf's image, almost without the gap that it had
  /// ([LeafPage#writableCopy]). What is accepted here is a page that every method of [LeafPage] can
  /// work on.
  ///
  /// @throws MalformedImageException if the image makes no sense
  public static byte[] toLeaf(byte[] image) {
    int at = HEADER_BYTES;
    require(image.length >= at + LEAF_FIXED, "leaf shorter than its fixed part");
    int length = i32(image, at);
    int count = u16(image, at + 4);
    int slots = LeafPage.SLOT_BYTES * count;
    int records = image.length - at - LEAF_FIXED - slots;
    require(
        records >= u16(image, at + 6)
            && length >= LeafPage.SLOTS + slots + records
            && length <= LeafPage.BYTES_MAX,
        "leaf of a wrong length");
    byte[] page = new byte[Math.min(length, LeafPage.SLOTS + slots + LeafPage.GAP_MIN + records)];
    int heap = page.length - records;
    putU16(page, LeafPage.COUNT, count);
    putU16(page, LeafPage.PREFIX, u16(image, at + 6));
    putU16(page, LeafPage.HEAP, heap);
    System.arraycopy(image, at + LEAF_FIXED, page, LeafPage.SLOTS, slots);
    System.arraycopy(image, at + LEAF_FIXED + slots, page, heap, records);
    LeafPage.moveOffsets(page, page.length - length);
    LeafPage.checkRecords(page);
    return RecordOrder.readInOrder(page);
  }

  public static byte[] ofInner(Branches branches, int level, int space, long epoch) {
    int count = branches.count();
    int bytes =
        HEADER_BYTES + 2 + References.BYTES * count + 2 * (count - 1) + branches.separatorBytes();
    byte[] image = new byte[bytes];
    int at = HEADER_BYTES;
    putU16(image, at, count);
    at += 2;
    branches.toReferences(level).write(image, at);
    at += References.BYTES * count;
    for (int i = 0; i < count - 1; i++) {
      byte[] separator = branches.separator(i);
      putU16(image, at, separator.length);
      System.arraycopy(separator, 0, image, at + 2, separator.length);
      at += 2 + separator.length;
    }
    seal(image, bytes, Kind.INNER, level, space, epoch);
    return image;
  }

  /// The branches of an inner page's image, whose level is `level` according to its reference.
  ///
  /// @throws MalformedImageException if the image makes no sense
  public static Branches toBranches(byte[] image, int level) {
    int at = HEADER_BYTES;
    require(image[LEVEL] == level, "inner page of another level");
    require(image.length >= at + 2, "inner page without a count");
    int count = u16(image, at);
    at += 2;
    require(count > 0 && image.length - at >= References.BYTES * count, "children cut short");
    References children = References.read(image, at, count, level - 1);
    at += References.BYTES * count;
    byte[][] separators = new byte[count - 1][];
    for (int i = 0; i < count - 1; i++) {
      require(image.length - at >= 2, "separators cut short");
      int length = u16(image, at);
      require(image.length - at - 2 >= length, "separators cut short");
      separators[i] = Arrays.copyOfRange(image, at + 2, at + 2 + length);
      require(
          i == 0 || Arrays.compareUnsigned(separators[i - 1], separators[i]) < 0,
          "separators out of order");
      at += 2 + length;
    }
    require(at == image.length, "bytes after the separators");
    return Branches.of(children, separators);
  }
}
