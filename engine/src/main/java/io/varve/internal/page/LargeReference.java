package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;

import io.varve.internal.page.PageImage.Kind;

/// What a leaf holds of a value too large for it: a reference to its one chunk, or to the index of
/// its chunks. Which of the two follows from the length. All integers are little-endian.
///
/// | offset | bytes | field    | meaning                              |
/// |-------:|------:|----------|--------------------------------------|
/// |      0 |     8 | length   | of the value, in bytes               |
/// |      8 |     8 | extent   | of the one chunk, or of the index    |
/// |     16 |     4 | checksum | of that extent's image               |
public final class LargeReference {
  /// The length of a reference.
  public static final int BYTES = LeafPage.REFERENCE_BYTES;

  /// The bytes of a value in one chunk, header excluded.
  public static final int CHUNK_BYTES = (1 << 20) - PageImage.HEADER_BYTES;

  /// Where the extent is, and after it the checksum.
  public static final int EXTENT = 8;

  private static final int CHECKSUM = 16;

  private LargeReference() {}

  /// Makes the reference of a value that is not written yet.
  public static byte[] forLength(long length) {
    byte[] reference = new byte[BYTES];
    putI64(reference, 0, length);
    return reference;
  }

  /// The length of the value.
  public static long length(byte[] reference) {
    return length(reference, 0);
  }

  /// The length of the value that a reference in a page names.
  public static long length(byte[] page, int referenceOffset) {
    return i64(page, referenceOffset);
  }

  /// The extent that a reference names: of the only chunk, or of the index.
  public static long extent(byte[] reference) {
    return i64(reference, EXTENT);
  }

  /// What that extent holds.
  public static Kind kind(byte[] reference) {
    return length(reference) <= CHUNK_BYTES ? Kind.LARGE_CHUNK : Kind.LARGE_INDEX;
  }

  /// The checksum of the image in that extent.
  public static int checksum(byte[] reference) {
    return i32(reference, CHECKSUM);
  }

  /// Makes a reference name another extent.
  public static void rename(byte[] reference, long extent, int checksum) {
    putI64(reference, EXTENT, extent);
    putI32(reference, CHECKSUM, checksum);
  }
}
