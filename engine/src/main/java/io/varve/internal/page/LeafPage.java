package io.varve.internal.page;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.Bytes.putU16;
import static io.varve.internal.page.Bytes.u16;
import static io.varve.internal.page.MalformedImageException.require;

import io.varve.Space;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The layout of a leaf in memory: a `byte[]`, usually of the store's page size, larger if its one
/// entry needs it. One that was read from disk has hardly any free bytes, and so is shorter
/// ([#writableCopy]). Offsets in it are computed in this package alone.
///
/// | offset         | bytes     | field    | meaning                                                  |
/// |---------------:|----------:|----------|----------------------------------------------------------|
/// |              0 |         2 | count    | entries                                                  |
/// |              2 |         2 | prefix   | length of the prefix that all keys share, stored once    |
/// |              4 |         2 | heap     | lowest byte of the records, which grow downwards         |
/// |              6 |         2 | dead     | bytes of records that were replaced or removed           |
/// |              8 |         2 | hinted   | the count for which the hints were made, if they hold    |
/// |             10 |         2 | run      | inserts in a row that each came after the one before     |
/// |             12 |         2 | last     | index of the newest insert                               |
/// |             14 |         2 | flags    | 1: a value was a reference to a large one; 2: sequential |
/// |             16 |        64 | hints    | 16 heads, evenly spaced: the first step of a search      |
/// |             80 | 6 x count | slots    | in key order: head (4 bytes), offset of the record (2)   |
/// |           heap |           | records  | suffix length (2), value tag (2), suffix, value          |
/// | length - prefix|    prefix | prefix   | the shared prefix                                        |
///
/// A *head* is the first four bytes of the key after the prefix, as a number (see [Bytes#head]). A
/// *value tag* below [#LARGE] is the length of an inline value; otherwise its low bits are the
/// length of a reference to a large value. Heads and hints halve the cost of a search: most steps
/// touch one cache line and no record.
///
/// Writers put records where there are free bytes. In an image, and so in a leaf that was read from
/// disk, they are in key order ([RecordOrder]).
///
/// Readers may run while one writer changes the page; what they computed counts only if the version
/// of the leaf did not change. So every loop here ends on any bytes, and every access is checked.
public final class LeafPage {
  /// Marks a value tag whose value is a reference to a large value.
  public static final int LARGE = 0x8000;

  /// The most that the bytes of a leaf may be, since offsets take two bytes.
  static final int BYTES_MAX = 0xffff;

  /// The length of the reference that a leaf stores for a large value: a `LargeReference`.
  public static final int REFERENCE_BYTES = 20;

  static final int COUNT = 0;
  static final int PREFIX = 2;
  static final int HEAP = 4;
  static final int DEAD = 6;
  static final int HINTED = 8;
  static final int RUN = 10;
  static final int LAST = 12;
  static final int FLAGS = 14;
  static final int HINTS = 16;
  static final int SLOTS = 80;
  static final int SLOT_BYTES = 6;
  static final int RECORD_HEADER = 4;

  /// The free bytes that a page keeps when it is read from disk: searches look at some slots after
  /// the last one.
  static final int GAP_MIN = 64;

  private static final int FLAG_LARGE = 1;
  static final int FLAG_SEQUENTIAL = 2;

  /// Longer runs are not counted.
  static final int RUN_MAX = 0xff;

  private static final int HINT_COUNT = 16;

  /// Below this count a plain binary search is as quick as one that starts with the hints.
  private static final int HINTED_COUNT_MIN = 2 * (HINT_COUNT + 1);

  private LeafPage() {}

  /// Makes an empty leaf whose keys share `prefixLength` bytes of `prefix`.
  public static byte[] create(int bytes, byte[] prefix, int prefixLength) {
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException("leaf too large: bytes=" + bytes + ", max=" + BYTES_MAX);
    }
    byte[] page = new byte[bytes];
    putU16(page, PREFIX, prefixLength);
    putU16(page, HEAP, bytes - prefixLength);
    System.arraycopy(prefix, 0, page, bytes - prefixLength, prefixLength);
    return page;
  }

  /// A copy for a writer. A page that is shorter than `bytes`, since it was read from disk, gets
  /// its gap back.
  public static byte[] writableCopy(byte[] page, int bytes) {
    int added = bytes - page.length;
    if (added <= 0) {
      return page.clone();
    }
    byte[] copy = new byte[bytes];
    int heap = u16(page, HEAP);
    System.arraycopy(page, 0, copy, 0, gapFrom(page));
    System.arraycopy(page, heap, copy, heap + added, page.length - heap);
    putU16(copy, HEAP, heap + added);
    moveOffsets(copy, added);
    return copy;
  }

  /// Notes in the slots that all records are `by` bytes from where they were. An offset that no
  /// record can have stays one.
  static void moveOffsets(byte[] page, int by) {
    for (int slot = SLOTS, end = gapFrom(page); slot < end; slot += SLOT_BYTES) {
      putU16(page, slot + 4, Math.max(0, u16(page, slot + 4) + by));
    }
  }

  public static int count(byte[] page) {
    return u16(page, COUNT);
  }

  /// The bytes that one entry takes in a leaf, its whole key counted.
  public static int entryBytes(int keyLength, int valueLength) {
    return SLOT_BYTES + RECORD_HEADER + keyLength + valueLength;
  }

  /// The bytes that a leaf needs for `entryBytes` bytes of entries.
  public static int bytesFor(int entryBytes) {
    return SLOTS + entryBytes;
  }

  /// The value tag of an entry.
  public static int tag(byte[] page, int index) {
    return u16(page, record(page, index) + 2);
  }

  /// The bytes in use for slots and live records.
  public static int liveBytes(byte[] page) {
    return SLOT_BYTES * u16(page, COUNT) + page.length - u16(page, HEAP) - u16(page, DEAD);
  }

  /// The bytes that are free immediately, without a compaction.
  static int gapBytes(byte[] page) {
    return gapTo(page) - gapFrom(page);
  }

  /// The first byte of the gap between slots and records, which means nothing.
  public static int gapFrom(byte[] page) {
    return SLOTS + SLOT_BYTES * u16(page, COUNT);
  }

  /// The first byte after that gap.
  public static int gapTo(byte[] page) {
    return u16(page, HEAP);
  }

  /// The bytes that would be free after a compaction.
  public static int freeBytes(byte[] page) {
    return gapBytes(page) + u16(page, DEAD);
  }

  /// The index of `key`, or the complement of the index where it would go.
  public static int find(byte[] page, byte[] key) {
    int count = u16(page, COUNT);
    int prefix = u16(page, PREFIX);
    if (prefix != 0) {
      int order =
          Arrays.compareUnsigned(
              key, 0, Math.min(prefix, key.length), page, page.length - prefix, page.length);
      if (order != 0) {
        return order < 0 ? ~0 : ~count;
      }
    }
    int head = Bytes.head(key, prefix, key.length);
    int low = 0;
    int high = count;
    if (isHinted(page, count)) {
      int step = hintStep(count);
      int below = hintsBelow(page, head);
      low = below * step;
      if (below < HINT_COUNT && i32(page, HINTS + 4 * below) > head) {
        high = (below + 1) * step;
      }
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      int slot = SLOTS + SLOT_BYTES * middle;
      int slotHead = i32(page, slot);
      int order;
      if (slotHead != head) {
        order = slotHead < head ? -1 : 1;
      } else {
        int record = u16(page, slot + 4);
        int suffix = record + RECORD_HEADER;
        order =
            Arrays.compareUnsigned(
                page, suffix, suffix + u16(page, record), key, prefix, key.length);
        if (order == 0) {
          return middle;
        }
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  /// Whether the hints hold for a page of so many entries.
  static boolean isHinted(byte[] page, int count) {
    return count >= HINTED_COUNT_MIN && u16(page, HINTED) == count;
  }

  /// How many entries are from one hint to the next.
  static int hintStep(int count) {
    return count / (HINT_COUNT + 1);
  }

  /// How many entries come after the last hint, itself counted.
  static int lastHintedEntries(int count) {
    return count - HINT_COUNT * hintStep(count);
  }

  /// How many hints are below a head.
  static int hintsBelow(byte[] page, int head) {
    int below = 0;
    for (int i = 0; i < HINT_COUNT; i++) {
      below += i32(page, HINTS + 4 * i) < head ? 1 : 0;
    }
    return below;
  }

  static int record(byte[] page, int index) {
    return u16(page, SLOTS + SLOT_BYTES * index + 4);
  }

  /// Whether the value of an entry is a reference to a large value.
  public static boolean isLarge(byte[] page, int index) {
    return (u16(page, record(page, index) + 2) & LARGE) != 0;
  }

  /// Whether any value of the leaf may be a reference to a large value.
  public static boolean hasLarge(byte[] page) {
    return (u16(page, FLAGS) & FLAG_LARGE) != 0;
  }

  /// Notes a record that was written into the page.
  private static void noteTag(byte[] page, int tag) {
    if ((tag & LARGE) != 0) {
      putU16(page, FLAGS, u16(page, FLAGS) | FLAG_LARGE);
    }
  }

  /// Notes that a scan passes the records in one direction.
  static void markSequential(byte[] page) {
    putU16(page, FLAGS, u16(page, FLAGS) | FLAG_SEQUENTIAL);
  }

  /// Checks a compact page that was read from disk, and notes in its header what its records
  /// contain. Only its records and slots were filled in, and they are within it.
  ///
  /// @throws MalformedImageException if it is no page that this class could have made
  static void checkRecords(byte[] page) {
    int prefix = u16(page, PREFIX);
    int heap = u16(page, HEAP);
    int end = page.length - prefix;
    int bytes = 0;
    int tags = 0;
    int headBefore = 0;
    int suffixBefore = 0;
    int lengthBefore = -1;
    for (int i = 0, count = count(page); i < count; i++) {
      int record = record(page, i);
      require(record >= heap && record <= end - RECORD_HEADER, "record outside of its leaf");
      int header = i32(page, record);
      int length = header & 0xffff;
      int tag = header >>> 16;
      int recordBytes = RECORD_HEADER + length + (tag & ~LARGE);
      require(recordBytes <= end - record, "record longer than its leaf");
      require(prefix + length <= Space.KEY_BYTES_MAX, "key too long");
      require(
          (tag & LARGE) == 0 || (tag & ~LARGE) == REFERENCE_BYTES,
          "reference to a large value of a wrong length");
      int suffix = record + RECORD_HEADER;
      int head = Bytes.head(page, suffix, suffix + length);
      require(i32(page, SLOTS + SLOT_BYTES * i) == head, "head of another key");
      // Heads that differ decide the order of most keys.
      require(
          lengthBefore < 0
              || headBefore < head
              || (headBefore == head
                  && Arrays.compareUnsigned(
                          page,
                          suffixBefore,
                          suffixBefore + lengthBefore,
                          page,
                          suffix,
                          suffix + length)
                      < 0),
          "keys out of order");
      headBefore = head;
      suffixBefore = suffix;
      lengthBefore = length;
      bytes += recordBytes;
      tags |= tag;
    }
    require(bytes == end - heap, "records that overlap, or bytes between them");
    noteTag(page, tags);
    makeHints(page);
  }

  /// The offset of the inline value, or of the reference to a large one.
  public static int valueOffset(byte[] page, int index) {
    int record = record(page, index);
    return record + RECORD_HEADER + u16(page, record);
  }

  /// The length of the inline value, or of the reference to a large one.
  public static int valueLength(byte[] page, int index) {
    return u16(page, record(page, index) + 2) & ~LARGE;
  }

  /// A copy of the inline value, or of the reference to a large one.
  public static byte[] value(byte[] page, int index) {
    int record = record(page, index);
    int from = record + RECORD_HEADER + u16(page, record);
    return Arrays.copyOfRange(page, from, from + (u16(page, record + 2) & ~LARGE));
  }

  public static int keyLength(byte[] page, int index) {
    return u16(page, PREFIX) + u16(page, record(page, index));
  }

  /// A copy of the key.
  public static byte[] key(byte[] page, int index) {
    byte[] key = new byte[keyLength(page, index)];
    readKey(page, index, key);
    return key;
  }

  /// Copies the key into `target`, as much as fits.
  ///
  /// @return the length of the key
  public static int readKey(byte[] page, int index, byte[] target) {
    int prefix = u16(page, PREFIX);
    int record = record(page, index);
    int suffix = u16(page, record);
    int fromPrefix = Math.min(prefix, target.length);
    System.arraycopy(page, page.length - prefix, target, 0, fromPrefix);
    System.arraycopy(
        page,
        record + RECORD_HEADER,
        target,
        fromPrefix,
        Math.min(suffix, target.length - fromPrefix));
    return prefix + suffix;
  }

  /// Compares the key of an entry with `key`.
  public static int compareKey(byte[] page, int index, byte[] key) {
    int prefix = u16(page, PREFIX);
    int order =
        Arrays.compareUnsigned(
            page, page.length - prefix, page.length, key, 0, Math.min(prefix, key.length));
    if (order != 0) {
      return order;
    }
    int record = record(page, index);
    int suffix = record + RECORD_HEADER;
    return Arrays.compareUnsigned(
        page, suffix, suffix + u16(page, record), key, prefix, key.length);
  }

  /// Whether an entry can be inserted or replaced as the page is, without a rebuild.
  public static boolean fitsInPlace(byte[] page, byte[] key, int valueLength) {
    return gapBytes(page) >= entryBytes(key.length, valueLength) - u16(page, PREFIX)
        && sharesPrefix(page, key);
  }

  static boolean sharesPrefix(byte[] page, byte[] key) {
    int prefix = u16(page, PREFIX);
    return key.length >= prefix
        && Arrays.equals(page, page.length - prefix, page.length, key, 0, prefix);
  }

  /// Whether the value of an entry can be overwritten where it is.
  public static boolean fitsOverValue(byte[] page, int index, int valueLength) {
    return valueLength(page, index) == valueLength;
  }

  /// Reads where the value at `index` ends, so that a write there finds its lines in the cache. For
  /// the complement of an index it reads where the records begin and the slots end.
  ///
  /// @return what means nothing
  public static int touch(byte[] page, int index) {
    if (index >= 0) {
      return page[valueOffset(page, index) + valueLength(page, index) - 1];
    }
    int slots = SLOTS + SLOT_BYTES * u16(page, COUNT);
    int heap = u16(page, HEAP);
    return page[slots] + page[heap - 1] + page[Math.max(slots, heap - 128)];
  }

  /// Overwrites a value of the same length.
  public static void overwriteValue(byte[] page, int index, byte[] value, int tag) {
    int record = record(page, index);
    putU16(page, record + 2, tag);
    noteTag(page, tag);
    System.arraycopy(value, 0, page, record + RECORD_HEADER + u16(page, record), value.length);
  }

  /// Replaces a value by one of another length. The page must have the free bytes ([#fitsInPlace]).
  public static void replaceValue(byte[] page, int index, byte[] key, byte[] value, int tag) {
    int record = record(page, index);
    int dead = RECORD_HEADER + u16(page, record) + (u16(page, record + 2) & ~LARGE);
    putU16(page, DEAD, u16(page, DEAD) + dead);
    putU16(page, SLOTS + SLOT_BYTES * index + 4, addRecord(page, key, value, tag));
  }

  /// Inserts an entry before the entry at `index`. The page must have the free bytes
  /// ([#fitsInPlace]).
  ///
  /// @param tag the value tag: the length of `value`, with [#LARGE] if it is a reference
  public static void insert(byte[] page, int index, byte[] key, byte[] value, int tag) {
    int count = u16(page, COUNT);
    int offset = addRecord(page, key, value, tag);
    int slot = SLOTS + SLOT_BYTES * index;
    System.arraycopy(page, slot, page, slot + SLOT_BYTES, SLOT_BYTES * (count - index));
    putI32(page, slot, Bytes.head(key, u16(page, PREFIX), key.length));
    putU16(page, slot + 4, offset);
    putU16(page, COUNT, count + 1);
    boolean follows = index == u16(page, LAST) + 1;
    putU16(page, RUN, follows ? Math.min(u16(page, RUN) + 1, RUN_MAX) : 0);
    putU16(page, LAST, index);
    // A run of appends leaves the hints stale, since only the full page will be searched much; the
    // split that ends the run makes them.
    if (index < count || !follows) {
      makeHints(page);
    }
  }

  /// Whether the newest inserts each came right after the one before, up to the one before `index`.
  public static boolean isAscendingRun(byte[] page, int index) {
    return u16(page, RUN) >= 4 && index == u16(page, LAST) + 1;
  }

  private static int addRecord(byte[] page, byte[] key, byte[] value, int tag) {
    int prefix = u16(page, PREFIX);
    int suffix = key.length - prefix;
    int offset = u16(page, HEAP) - RECORD_HEADER - suffix - value.length;
    putU16(page, offset, suffix);
    putU16(page, offset + 2, tag);
    putU16(page, FLAGS, u16(page, FLAGS) & ~FLAG_SEQUENTIAL);
    noteTag(page, tag);
    System.arraycopy(key, prefix, page, offset + RECORD_HEADER, suffix);
    System.arraycopy(value, 0, page, offset + RECORD_HEADER + suffix, value.length);
    putU16(page, HEAP, offset);
    return offset;
  }

  /// Removes an entry.
  public static void remove(byte[] page, int index) {
    int count = u16(page, COUNT);
    int record = record(page, index);
    int dead = RECORD_HEADER + u16(page, record) + (u16(page, record + 2) & ~LARGE);
    putU16(page, DEAD, u16(page, DEAD) + dead);
    int slot = SLOTS + SLOT_BYTES * index;
    System.arraycopy(page, slot + SLOT_BYTES, page, slot, SLOT_BYTES * (count - 1 - index));
    putU16(page, COUNT, count - 1);
    putU16(page, RUN, 0);
    makeHints(page);
  }

  /// Makes the hints for the entries as they are now, or forgets them where there are too few.
  private static void makeHints(byte[] page) {
    int count = u16(page, COUNT);
    if (count < HINTED_COUNT_MIN) {
      // Appends may fill the page up to a count that it had before, with other entries.
      putU16(page, HINTED, 0);
      return;
    }
    int stride = SLOT_BYTES * hintStep(count);
    int slot = SLOTS + stride;
    for (int i = 0; i < HINT_COUNT; i++) {
      putI32(page, HINTS + 4 * i, i32(page, slot));
      slot += stride;
    }
    putU16(page, HINTED, count);
  }

  /// The index at which the entries fall into two parts of about equal bytes, neither empty if
  /// there are two entries or more.
  public static int middle(byte[] page) {
    int count = count(page);
    int half = (liveBytes(page) - u16(page, PREFIX)) / 2;
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      int record = record(page, i);
      bytes += SLOT_BYTES + RECORD_HEADER + u16(page, record) + (u16(page, record + 2) & ~LARGE);
      if (bytes >= half) {
        return Math.clamp(i + 1, Math.min(1, count), Math.max(count - 1, 1));
      }
    }
    return count;
  }

  /// Builds a compact leaf of the entries `from` (inclusive) to `to` (exclusive) of `page`, with
  /// the longest prefix that its keys and `newKey`, if any, share.
  ///
  /// @param bytes the size of the page to build; grown if the entries need more
  public static byte[] rebuild(byte[] page, int from, int to, int bytes, byte @Nullable [] newKey) {
    if (from >= to) {
      return create(bytes, new byte[0], 0);
    }
    byte[] first = key(page, from);
    int prefix = Bytes.commonPrefix(first, key(page, to - 1));
    if (newKey != null) {
      prefix = Math.min(prefix, Bytes.commonPrefix(first, newKey));
    }
    int oldPrefix = u16(page, PREFIX);
    int needed = SLOTS + prefix;
    for (int i = from; i < to; i++) {
      int record = record(page, i);
      needed +=
          SLOT_BYTES
              + RECORD_HEADER
              + oldPrefix
              + u16(page, record)
              - prefix
              + (u16(page, record + 2) & ~LARGE);
    }
    byte[] built = create(Math.max(bytes, needed), first, prefix);
    int heap = u16(built, HEAP);
    int slot = SLOTS;
    for (int i = from; i < to; i++) {
      int record = record(page, i);
      int suffix = u16(page, record);
      int tag = u16(page, record + 2);
      int value = tag & ~LARGE;
      int newSuffix = oldPrefix + suffix - prefix;
      heap -= RECORD_HEADER + newSuffix + value;
      putU16(built, heap, newSuffix);
      putU16(built, heap + 2, tag);
      noteTag(built, tag);
      int fromPrefix = Math.max(oldPrefix - prefix, 0);
      System.arraycopy(page, page.length - fromPrefix, built, heap + RECORD_HEADER, fromPrefix);
      int dropped = Math.max(prefix - oldPrefix, 0);
      System.arraycopy(
          page,
          record + RECORD_HEADER + dropped,
          built,
          heap + RECORD_HEADER + fromPrefix,
          suffix - dropped + value);
      putI32(
          built, slot, Bytes.head(built, heap + RECORD_HEADER, heap + RECORD_HEADER + newSuffix));
      putU16(built, slot + 4, heap);
      slot += SLOT_BYTES;
    }
    putU16(built, HEAP, heap);
    putU16(built, COUNT, to - from);
    markSequential(built);
    makeHints(built);
    return built;
  }

  /// Builds a compact leaf of the entries given, which are in key order.
  ///
  /// @param bytes the size of the page to build; grown if the entries need more
  public static byte[] build(
      byte[][] keys, byte[][] values, int[] tags, int from, int to, int bytes) {
    byte[] first = keys[from];
    int prefix = Bytes.commonPrefix(first, keys[to - 1]);
    int needed = SLOTS + prefix;
    for (int i = from; i < to; i++) {
      needed += entryBytes(keys[i].length - prefix, values[i].length);
    }
    byte[] built = create(Math.max(bytes, needed), first, prefix);
    int slot = SLOTS;
    for (int i = from; i < to; i++) {
      putU16(built, slot + 4, addRecord(built, keys[i], values[i], tags[i]));
      putI32(built, slot, Bytes.head(keys[i], prefix, keys[i].length));
      slot += SLOT_BYTES;
    }
    putU16(built, COUNT, to - from);
    putU16(built, LAST, to - from - 1);
    markSequential(built);
    makeHints(built);
    return built;
  }
}
