package io.varve.internal.file;

/// A map from extents to the epochs in which they were made, without an object for each: a table
/// with open addressing and linear probing. Not safe for threads.
final class ExtentEpochs {
  /// What [#get] gives for an extent that is not in the map.
  static final long ABSENT = -1;

  private static final int SLOTS_MIN = 64;

  /// Takes one extent and its epoch.
  @FunctionalInterface
  interface Entry {
    void of(long extent, long epoch);
  }

  /// Zero is no extent.
  private long[] extents = new long[SLOTS_MIN];

  private long[] epochs = new long[SLOTS_MIN];
  private int size;

  int size() {
    return size;
  }

  /// Notes the epoch of an extent, in place of any it had.
  void put(long extent, long epoch) {
    assert extent != 0;
    if ((size + 1) * 3L > extents.length * 2L) {
      resize(Math.multiplyExact(extents.length, 2));
    }
    int slot = slotOf(extent);
    if (extents[slot] == 0) {
      extents[slot] = extent;
      size++;
    }
    epochs[slot] = epoch;
  }

  /// The epoch of an extent, or [#ABSENT].
  long get(long extent) {
    int slot = slotOf(extent);
    return extents[slot] == 0 ? ABSENT : epochs[slot];
  }

  /// Removes an extent, if it is here. Allocates nothing.
  void remove(long extent) {
    int slot = slotOf(extent);
    if (extents[slot] == 0) {
      return;
    }
    size--;
    // What follows in the same run moves back, so that no search ends too early.
    int gap = slot;
    int mask = extents.length - 1;
    for (int at = slot + 1 & mask; extents[at] != 0; at = at + 1 & mask) {
      int home = home(extents[at]);
      if ((at - home & mask) >= (at - gap & mask)) {
        extents[gap] = extents[at];
        epochs[gap] = epochs[at];
        gap = at;
      }
    }
    extents[gap] = 0;
  }

  /// Names all extents, in no order.
  void forEach(Entry entry) {
    for (int slot = 0; slot < extents.length; slot++) {
      if (extents[slot] != 0) {
        entry.of(extents[slot], epochs[slot]);
      }
    }
  }

  /// Removes what was made in `epoch` or before.
  void removeUpTo(long epoch) {
    ExtentEpochs rest = new ExtentEpochs();
    forEach((extent, made) -> {
      if (made > epoch) {
        rest.put(extent, made);
      }
    });
    extents = rest.extents;
    epochs = rest.epochs;
    size = rest.size;
  }

  /// Removes all.
  void clear() {
    extents = new long[SLOTS_MIN];
    epochs = new long[SLOTS_MIN];
    size = 0;
  }

  private int slotOf(long extent) {
    int slot = home(extent);
    while (extents[slot] != 0 && extents[slot] != extent) {
      slot = slot + 1 & extents.length - 1;
    }
    return slot;
  }

  /// Extents of one file are close to each other, so their bits are spread.
  private int home(long extent) {
    long spread = extent * 0x9E3779B97F4A7C15L;
    return (int) (spread >>> 32) & extents.length - 1;
  }

  private void resize(int slots) {
    long[] oldExtents = extents;
    long[] oldEpochs = epochs;
    long[] newEpochs = new long[slots]; // before anything changes: memory may be lacking
    extents = new long[slots];
    epochs = newEpochs;
    size = 0;
    for (int i = 0; i < oldExtents.length; i++) {
      if (oldExtents[i] != 0) {
        put(oldExtents[i], oldEpochs[i]);
      }
    }
  }
}
