package io.varve.internal.cache;

import java.util.zip.CRC32C;

/// A page that leaves the heap, or came back to it: what a slab stores of it.
///
/// @param extent of its image in the page file
/// @param checksum of its image in the page file
/// @param page in clear, as it was on the heap; not changed any more
/// @param gapFrom the first byte that is not stored
/// @param gapTo the first byte after that which is
/// @param sum what [#sum()] was when the page was stored
record SlabImage(long extent, int checksum, byte[] page, int gapFrom, int gapTo, int sum) {

  /// What is to be stored of a clean page.
  static SlabImage of(long extent, int checksum, byte[] page, int gapFrom, int gapTo) {
    return new SlabImage(extent, checksum, page, gapFrom, gapTo, sumOf(page, gapFrom, gapTo));
  }

  /// Whether the page is what was stored.
  boolean isWhole() {
    return sum == sumOf(page, gapFrom, gapTo);
  }

  int storedBytes() {
    return page.length - (gapTo - gapFrom);
  }

  private static int sumOf(byte[] page, int gapFrom, int gapTo) {
    CRC32C crc = new CRC32C();
    crc.update(page, 0, gapFrom);
    crc.update(page, gapTo, page.length - gapTo);
    return (int) crc.getValue() ^ (31 * (31 * page.length + gapFrom) + gapTo);
  }
}
