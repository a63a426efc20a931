package io.varve.internal.store;

/// Puts records of a replay in the order of their keys, without moving them: a radix sort by the
/// *head* of each, which is the eight bytes after what all keys share. Each pass is over one byte,
/// and bytes in which no two heads differ take none. Records of equal heads are merged by their
/// whole keys.
///
/// Of records of equal keys the last one is kept, which is the newest of the log.
final class ReplaySort {
  private static final int BUCKETS = 256;

  /// Below this number the counters of a pass cost more than insertions.
  private static final int INSERTION_MAX = 32;

  /// What the sort takes for each record: two heads, and a second array of positions.
  static final int RECORD_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private final ReplayRecords records;
  private int size;
  private int[] positions;
  private int[] otherPositions;
  private long[] heads;
  private boolean wereAscending;

  private ReplaySort(ReplayRecords records, int[] positions, int size) {
    this.records = records;
    this.size = size;
    this.positions = positions;
    this.otherPositions = new int[size];
    this.heads = new long[size];
  }

  /// Sorts the first `size` positions, at least one. The array is used for it.
  static ReplaySort of(ReplayRecords records, int[] positions, int size) {
    var sort = new ReplaySort(records, positions, size);
    sort.run();
    return sort;
  }

  /// How many keys there are.
  int size() {
    return size;
  }

  /// The position of the newest record of each key, in key order.
  int[] positions() {
    return positions;
  }

  /// Whether the records came in key order.
  boolean wereAscending() {
    return wereAscending;
  }

  private void run() {
    int prefix = records.keyLength(positions[0]);
    for (int i = 1; i < size && prefix > 0; i++) {
      prefix = records.commonPrefix(positions[0], positions[i], prefix);
    }
    for (int i = 0; i < size; i++) {
      heads[i] = records.head(positions[i], prefix);
    }
    wereAscending = areAscending();
    if (!wereAscending) {
      if (size <= INSERTION_MAX) {
        insert();
      } else {
        sortByHeads();
      }
    }
    keepNewest();
  }

  private boolean areAscending() {
    for (int i = 1; i < size; i++) {
      if (Long.compareUnsigned(heads[i - 1], heads[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private void insert() {
    for (int i = 1; i < size; i++) {
      long head = heads[i];
      int position = positions[i];
      int at = i;
      for (; at > 0 && Long.compareUnsigned(heads[at - 1], head) > 0; at--) {
        heads[at] = heads[at - 1];
        positions[at] = positions[at - 1];
      }
      heads[at] = head;
      positions[at] = position;
    }
  }

  private void sortByHeads() {
    long differing = 0;
    for (int i = 1; i < size; i++) {
      differing |= heads[i] ^ heads[0];
    }
    long[] otherHeads = new long[size];
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      if ((differing >>> shift & 0xff) != 0) {
        pass(otherHeads, shift);
        long[] swapHeads = heads;
        heads = otherHeads;
        otherHeads = swapHeads;
        int[] swap = positions;
        positions = otherPositions;
        otherPositions = swap;
      }
    }
  }

  /// Moves all in the order of one byte of their heads to the other arrays.
  private void pass(long[] toHeads, int shift) {
    int[] next = new int[BUCKETS + 1];
    for (int i = 0; i < size; i++) {
      next[(int) (heads[i] >>> shift & 0xff) + 1]++;
    }
    for (int i = 1; i < BUCKETS; i++) {
      next[i] += next[i - 1];
    }
    for (int i = 0; i < size; i++) {
      long head = heads[i];
      int to = next[(int) (head >>> shift & 0xff)]++;
      toHeads[to] = head;
      otherPositions[to] = positions[i];
    }
  }

  /// Keeps the last record of each key. Only where heads are equal are keys compared.
  private void keepNewest() {
    int kept = 0;
    int from = 0;
    while (from < size) {
      int to = from + 1;
      while (to < size && heads[to] == heads[from]) {
        to++;
      }
      if (to - from > 1) {
        mergeSort(from, to);
      }
      for (int i = from; i < to; i++) {
        if (i + 1 == to || records.compareKeys(positions[i], positions[i + 1]) != 0) {
          positions[kept++] = positions[i];
        }
      }
      from = to;
    }
    size = kept;
  }

  private void mergeSort(int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    mergeSort(from, middle);
    mergeSort(middle, to);
    if (records.compareKeys(positions[middle - 1], positions[middle]) <= 0) {
      return;
    }
    System.arraycopy(positions, from, otherPositions, from, to - from);
    int left = from;
    int right = middle;
    for (int at = from; at < to; at++) {
      boolean takeRight =
          left == middle
              || (right < to
                  && records.compareKeys(otherPositions[left], otherPositions[right]) > 0);
      positions[at] = takeRight ? otherPositions[right++] : otherPositions[left++];
    }
  }
}
