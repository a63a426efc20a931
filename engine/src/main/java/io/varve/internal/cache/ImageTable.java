package io.varve.internal.cache;

/// Where images are: from a tag, which is a hash of an extent, to a location. At most one location
/// for a tag: of two extents with equal tags, the one that comes later displaces the other.
///
/// Open addressing with linear probing, in one array of numbers: 11 to 22 bytes of heap for each
/// image. Not safe for threads.
final class ImageTable {
  /// What [#find] returns if there is none.
  static final long ABSENT = -1;

  private static final int SLOTS_MIN = 64;
  private static final int SLOTS_MAX = 1 << 30;
  private static final long LOW = 0xffff_ffffL;

  /// A tag in the high half and one more than a location in the low one; 0 is an empty slot. The
  /// slot that a search begins with is named by the low bits of the tag.
  private long[] slots = new long[SLOTS_MIN];

  private int size;

  /// A number whose bits all depend on all of an extent's (the last steps of MurmurHash3, 64 bits).
  static long hash(long extent) {
    long hash = (extent ^ extent >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }

  /// The tag of an extent.
  static int tagOf(long extent) {
    return (int) hash(extent);
  }

  /// The location for a tag, as an unsigned number, or [#ABSENT].
  long find(int tag) {
    long slot = slots[slotOf(tag)];
    return slot == 0 ? ABSENT : (slot & LOW) - 1;
  }

  /// The slot of a tag, or the empty one where it would go.
  private int slotOf(int tag) {
    int mask = slots.length - 1;
    int at = tag & mask;
    while (slots[at] != 0 && (int) (slots[at] >>> 32) != tag) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /// Sets the location for a tag: below 2^32 - 1.
  ///
  /// @throws OutOfMemoryError if the heap cannot hold a larger table; nothing was changed
  void put(int tag, long location) {
    int at = slotOf(tag);
    if (slots[at] == 0) {
      if (4L * (size + 1) > 3L * slots.length && slots.length < SLOTS_MAX) {
        grow();
        at = slotOf(tag);
      }
      size++;
    }
    slots[at] = Integer.toUnsignedLong(tag) << 32 | (location + 1);
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    for (long slot : old) {
      if (slot != 0) {
        slots[slotOf((int) (slot >>> 32))] = slot;
      }
    }
  }

  /// Removes a tag.
  void remove(int tag) {
    int hole = slotOf(tag);
    if (slots[hole] == 0) {
      return;
    }
    size--;
    int mask = slots.length - 1;
    slots[hole] = 0;
    // What was pushed past the hole moves into it. So each search still meets what it looks for
    // before an empty slot (Knuth, volume 3, 6.4, algorithm R).
    for (int at = (hole + 1) & mask; slots[at] != 0; at = (at + 1) & mask) {
      int first = (int) (slots[at] >>> 32) & mask;
      if (((at - first) & mask) >= ((at - hole) & mask)) {
        slots[hole] = slots[at];
        slots[at] = 0;
        hole = at;
      }
    }
  }

  /// Tags that have a location.
  int size() {
    return size;
  }
}
