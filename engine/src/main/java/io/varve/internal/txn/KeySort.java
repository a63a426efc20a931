package io.varve.internal.txn;

import java.util.Arrays;

/// Puts keys in order without moving them: a merge sort of their indices, which compares eight
/// bytes after what all keys share, and whole keys only where those are equal.
public final class KeySort {
  /// Below this length runs are sorted by insertion.
  private static final int RUN = 8;

  private final byte[][] keys;
  private final long[] heads;

  private KeySort(byte[][] keys, int size) {
    this.keys = keys;
    this.heads = new long[size];
    int prefix = commonPrefix(keys, size);
    for (int i = 0; i < size; i++) {
      heads[i] = head(keys[i], prefix);
    }
  }

  /// The indices of the first `size` keys in key order; those of equal keys in their own order.
  public static int[] order(byte[][] keys, int size) {
    return new KeySort(keys, size).sort();
  }

  private static int commonPrefix(byte[][] keys, int size) {
    byte[] first = keys[0];
    int prefix = first.length;
    for (int i = 1; i < size && prefix > 0; i++) {
      byte[] key = keys[i];
      int limit = Math.min(prefix, key.length);
      int mismatch = Arrays.mismatch(first, 0, limit, key, 0, limit);
      prefix = mismatch < 0 ? limit : mismatch;
    }
    return prefix;
  }

  /// Eight bytes from `from` as a number in the order of unsigned bytes; missing ones count as
  /// zero.
  private static long head(byte[] key, int from) {
    long head = 0;
    int end = Math.min(key.length, from + Long.BYTES);
    for (int i = from; i < end; i++) {
      head |= (key[i] & 0xffL) << (56 - 8 * (i - from));
    }
    return head ^ Long.MIN_VALUE;
  }

  private int[] sort() {
    int size = heads.length;
    int[] from = new int[size];
    for (int i = 0; i < size; i++) {
      from[i] = i;
    }
    for (int start = 0; start < size; start += RUN) {
      insert(from, start, Math.min(start + RUN, size));
    }
    int[] to = new int[size];
    for (int length = RUN; length < size; length *= 2) {
      for (int start = 0; start < size; start += 2 * length) {
        int middle = Math.min(start + length, size);
        merge(from, to, start, middle, Math.min(middle + length, size));
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private void insert(int[] order, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      int index = order[i];
      int at = i;
      while (at > start && isAfter(order[at - 1], index)) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = index;
    }
  }

  private void merge(int[] from, int[] to, int start, int middle, int end) {
    int left = start;
    int right = middle;
    for (int at = start; at < end; at++) {
      boolean takeRight = left == middle || (right < end && isAfter(from[left], from[right]));
      to[at] = takeRight ? from[right++] : from[left++];
    }
  }

  private boolean isAfter(int a, int b) {
    return heads[a] != heads[b]
        ? heads[a] > heads[b]
        : Arrays.compareUnsigned(keys[a], keys[b]) > 0;
  }
}
