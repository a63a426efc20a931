package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.u16;

import java.util.Arrays;

/// The steps of a search in a leaf one by one, for a caller that searches many leaves. Each step
/// touches the memory that the next one needs, so that many searches wait for it together.
///
/// Where a step comes to is a guess until [#isAt] or [LeafPage#find] confirms it. So a page that
/// changes concurrently does no harm that those would not (T4). What a touch gives means nothing:
/// the caller stores it, so that the access is not optimized away.
public final class LeafProbe {
  private static final int LINE_BYTES = 64;

  /// So many slots are compared without a branch that could be mispredicted.
  private static final int COUNTED_SLOTS = 8;

  private LeafProbe() {}

  /// Touches the header and the hints.
  public static int touchHeader(byte[] page) {
    return i32(page, 0) ^ i32(page, LINE_BYTES);
  }

  /// The index where a search begins, by the hints.
  public static int firstSlot(byte[] page, byte[] key) {
    int count = LeafPage.count(page);
    return LeafPage.isHinted(page, count)
        ? LeafPage.hintsBelow(page, head(page, key)) * LeafPage.hintStep(count)
        : 0;
  }

  /// Touches the slots from an index on, and the prefix.
  public static int touchSlots(byte[] page, int index) {
    return i32(page, slot(index)) ^ page[page.length - 1];
  }

  /// The index of the first entry whose head is not below that of the key.
  ///
  /// @param first what [#firstSlot] gave
  public static int index(byte[] page, byte[] key, int first) {
    int count = LeafPage.count(page);
    int head = head(page, key);
    int low = first;
    int left = count - first;
    if (LeafPage.isHinted(page, count) && left > LeafPage.lastHintedEntries(count)) {
      left = LeafPage.hintStep(count) + 1;
    }
    while (left > COUNTED_SLOTS) {
      int half = left >>> 1;
      low += half & Bytes.maskIfBelow(i32(page, slot(low + half)), head);
      left -= half;
    }
    int high = Math.min(low + left, count);
    int below = 0; // negative
    for (int i = low; i < low + COUNTED_SLOTS; i++) {
      below += Bytes.maskIfBelow(i32(page, slot(i)), head) & Bytes.maskIfBelow(i, high);
    }
    return low - below;
  }

  /// Touches the record of an entry.
  public static int touchRecord(byte[] page, int index) {
    int last = page.length - 1;
    int record = Math.min(u16(page, slot(index) + 4), last); // any bytes if there is no such entry
    return page[record]
        ^ page[Math.min(record + LINE_BYTES, last)]
        ^ page[Math.min(record + 2 * LINE_BYTES, last)];
  }

  /// Whether there is an entry at an index, and its key is `key`.
  public static boolean isAt(byte[] page, int index, byte[] key) {
    if (index >= LeafPage.count(page) || !LeafPage.sharesPrefix(page, key)) {
      return false;
    }
    int record = u16(page, slot(index) + 4);
    int suffix = record + LeafPage.RECORD_HEADER;
    int prefix = u16(page, LeafPage.PREFIX);
    return Arrays.equals(page, suffix, suffix + u16(page, record), key, prefix, key.length);
  }

  private static int head(byte[] page, byte[] key) {
    return Bytes.head(key, u16(page, LeafPage.PREFIX), key.length);
  }

  private static int slot(int index) {
    return LeafPage.SLOTS + LeafPage.SLOT_BYTES * index;
  }
}
