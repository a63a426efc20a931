package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.i64;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putI64;
import static io.varve.internal.page.MalformedImageException.require;

import java.util.Arrays;

/// References to the children of an inner node, as an image holds them. All integers are
/// little-endian.
///
/// | offset | bytes | field      | meaning                                      |
/// |-------:|------:|------------|----------------------------------------------|
/// |      0 |     8 | extent     | where the image of the child is ([Extent]) |
/// |      8 |     4 | checksum   | of that image                                |
/// |     12 |     8 | entryCount | entries at and below the child               |
final class References {
  /// Bytes of one reference.
  static final int BYTES = 20;

  private static final int CHECKSUM = 8;
  private static final int ENTRY_COUNT = 12;

  /// The counts of all children of a node, of which it has less than 2^16, add up to a long.
  private static final int ENTRY_COUNT_BITS = 47;

  private final byte[] bytes;

  /// The level of all children.
  private final int level;

  private References(byte[] bytes, int level) {
    this.bytes = bytes;
    this.level = level;
  }

  /// Capacity for references, which are to be set.
  ///
  /// @param level of the children
  References(int count, int level) {
    this(new byte[BYTES * count], level);
  }

  /// Reads references from an image.
  ///
  /// @throws MalformedImageException if one refers to nothing, or to more than any tree has
  static References read(byte[] image, int offset, int count, int level) {
    References read =
        new References(Arrays.copyOfRange(image, offset, offset + BYTES * count), level);
    for (int i = 0; i < count; i++) {
      require(
          i64(read.bytes, BYTES * i) != 0 && read.entryCount(i) >>> ENTRY_COUNT_BITS == 0,
          "impossible reference");
    }
    return read;
  }

  /// Writes all references into an image.
  void write(byte[] image, int offset) {
    System.arraycopy(bytes, 0, image, offset, bytes.length);
  }

  int count() {
    return bytes.length / BYTES;
  }

  long entryCount(int index) {
    return i64(bytes, BYTES * index + ENTRY_COUNT);
  }

  /// A node for one of the references, whose page is not in memory.
  Node node(int index) {
    int at = BYTES * index;
    return Node.reference(level, i64(bytes, at), i32(bytes, at + CHECKSUM), entryCount(index));
  }

  /// Sets a reference to that of a clean node.
  ///
  /// @throws IllegalStateException if it is not clean: nothing could be read by the reference
  void set(int index, Node node) {
    if (!node.isClean() || node.entryCount() < 0) {
      throw new IllegalStateException(
          "reference to a page that was not written: extent="
              + node.extent()
              + ", entryCount="
              + node.entryCount());
    }
    int at = BYTES * index;
    putI64(bytes, at, node.extent());
    putI32(bytes, at + CHECKSUM, node.checksum());
    putI64(bytes, at + ENTRY_COUNT, node.entryCount());
  }

  References copy() {
    return new References(bytes.clone(), level);
  }

  /// Sets a reference to what others have there.
  void copy(int index, References others) {
    System.arraycopy(others.bytes, BYTES * index, bytes, BYTES * index, BYTES);
  }
}
