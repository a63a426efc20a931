package io.varve.internal.page;

import static io.varve.internal.page.Bytes.putU16;
import static io.varve.internal.page.Bytes.u16;

/// The order that the records of a leaf have in its page. Writers put them where there are free
/// bytes; a scan is quick where they are in key order.
public final class RecordOrder {
  private RecordOrder() {}

  /// The same leaf with its records in key order and no dead bytes, so that a scan of its entries
  /// passes memory in one direction. The page itself if it is like that. Indexes, and all else that
  /// is noted in the header, stay as they are.
  public static byte[] inOrder(byte[] page) {
    return isInOrder(page) ? page : copyInOrder(page);
  }

  /// A page that was read from disk, as by [#inOrder].
  static byte[] readInOrder(byte[] page) {
    byte[] ordered = inOrder(page);
    LeafPage.markSequential(ordered);
    return ordered;
  }

  /// Whether a scan passes the records in one direction, up or down. False for some pages that are
  /// like that by chance.
  public static boolean isSequential(byte[] page) {
    if ((u16(page, LeafPage.FLAGS) & LeafPage.FLAG_SEQUENTIAL) != 0) {
      return true;
    }
    int last = u16(page, LeafPage.COUNT) - 1;
    return last <= 0
        || (last < LeafPage.RUN_MAX
            && u16(page, LeafPage.RUN) >= last
            && u16(page, LeafPage.LAST) == last
            && u16(page, LeafPage.DEAD) == 0);
  }

  /// A copy of the leaf that is as by [#inOrder].
  public static byte[] copyInOrder(byte[] page) {
    int count = u16(page, LeafPage.COUNT);
    int heap = u16(page, LeafPage.HEAP) + u16(page, LeafPage.DEAD);
    byte[] ordered = new byte[page.length];
    int end = LeafPage.SLOTS + LeafPage.SLOT_BYTES * count;
    System.arraycopy(page, 0, ordered, 0, end);
    putU16(ordered, LeafPage.HEAP, heap);
    putU16(ordered, LeafPage.DEAD, 0);
    int offset = heap;
    for (int slot = LeafPage.SLOTS; slot < end; slot += LeafPage.SLOT_BYTES) {
      int record = u16(page, slot + 4);
      int bytes =
          LeafPage.RECORD_HEADER + u16(page, record) + (u16(page, record + 2) & ~LeafPage.LARGE);
      System.arraycopy(page, record, ordered, offset, bytes);
      putU16(ordered, slot + 4, offset);
      offset += bytes;
    }
    System.arraycopy(page, offset, ordered, offset, page.length - offset); // the prefix
    LeafPage.markSequential(ordered);
    return ordered;
  }

  /// Whether records are in key order. Where none is dead there are no bytes between them.
  private static boolean isInOrder(byte[] page) {
    if (u16(page, LeafPage.DEAD) != 0) {
      return false;
    }
    for (int i = 1, count = u16(page, LeafPage.COUNT); i < count; i++) {
      if (LeafPage.record(page, i - 1) > LeafPage.record(page, i)) {
        return false;
      }
    }
    return true;
  }
}
