package io.varve.internal.txn;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Puts keys in order without moving them. Eight bytes after what all keys share, the *head*, stand
/// for a key. Many keys are sorted as numbers: the first bits of the head, and then the index, so
/// that no key is touched. Those whose first bits are equal are sorted again by what follows.
///
/// For one thread.
public final class KeySort {
  private static final VarHandle HEAD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /// Below this length runs are sorted by insertion.
  private static final int RUN = 8;

  /// From so many keys on they are sorted as numbers.
  private static final int NUMBERS_MIN = 128;

  /// How often keys of equal bits are sorted as numbers again: each time, all but one might be
  /// equal.
  private static final int DEPTH_MAX = 8;

  private final byte[][] keys;

  /// By the index of the key.
  private final long[] heads;

  /// The indices, as far as they are sorted.
  private final int[] order;

  private final int[] other;

  /// Bits of heads, and positions, at the positions of `order`.
  private final long[] numbers;

  private KeySort(byte[][] keys, int size) {
    this.keys = keys;
    this.heads = new long[size];
    this.order = new int[size];
    this.other = new int[size];
    this.numbers = new long[size < NUMBERS_MIN ? 0 : size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
  }

  /// The indices of the first `size` keys in key order; those of equal keys in their own order.
  public static int[] order(byte[][] keys, int size) {
    KeySort sort = new KeySort(keys, size);
    if (size > 1) {
      sort.sort(0, size, 0);
    }
    return sort.order;
  }

  /// Sorts what is at those positions, which is in the order of indices.
  private void sort(int from, int to, int depth) {
    int prefix = commonPrefix(from, to);
    if (areEqual(from, to, prefix)) {
      return;
    }
    for (int i = from; i < to; i++) {
      heads[order[i]] = head(keys[order[i]], prefix, keys[order[i]].length) ^ Long.MIN_VALUE;
    }
    if (to - from < NUMBERS_MIN || depth == DEPTH_MAX) {
      merge(from, to);
    } else {
      sortAsNumbers(from, to, depth);
    }
  }

  private int commonPrefix(int from, int to) {
    byte[] first = keys[order[from]];
    int prefix = first.length;
    for (int i = from + 1; i < to && prefix > 0; i++) {
      byte[] key = keys[order[i]];
      int limit = Math.min(prefix, key.length);
      int mismatch = Arrays.mismatch(first, 0, limit, key, 0, limit);
      prefix = mismatch < 0 ? limit : mismatch;
    }
    return prefix;
  }

  /// Whether all are no longer than what they share.
  private boolean areEqual(int from, int to, int prefix) {
    for (int i = from; i < to; i++) {
      if (keys[order[i]].length > prefix) {
        return false;
      }
    }
    return true;
  }

  /// Eight bytes as an unsigned number; those from `to` on count as zero. Keys of equal heads must
  /// be compared in full.
  public static long head(byte[] bytes, int from, int to) {
    int count = to - from;
    if (from + Long.BYTES <= bytes.length) {
      long head = (long) HEAD.get(bytes, from);
      return count >= Long.BYTES ? head : count <= 0 ? 0 : head & (-1L << (Long.SIZE - 8 * count));
    }
    long head = 0;
    for (int i = 0; i < count; i++) {
      head |= (bytes[from + i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }

  private void sortAsNumbers(int from, int to, int depth) {
    int size = to - from;
    long mask = (Long.highestOneBit(size) << 1) - 1;
    for (int i = from; i < to; i++) {
      numbers[i] = (heads[order[i]] & ~mask) | (i - from);
    }
    Arrays.sort(numbers, from, to);
    for (int i = from; i < to; i++) {
      other[i] = order[from + (int) (numbers[i] & mask)];
    }
    System.arraycopy(other, from, order, from, size);
    for (int start = from, end; start < to; start = end) {
      long bits = numbers[start] & ~mask;
      end = start + 1;
      while (end < to && (numbers[end] & ~mask) == bits) {
        end++;
      }
      if (end - start == size) {
        merge(start, end);
      } else if (end - start > 1) {
        sort(start, end, depth + 1); // changes the numbers of these alone, which are done with
      }
    }
  }

  /// Sorts what is at those positions by merging, which compares heads, and whole keys only where
  /// those are equal.
  @SuppressWarnings("ReferenceEquality") // arrays
  private void merge(int from, int to) {
    for (int start = from; start < to; start += RUN) {
      insert(start, Math.min(start + RUN, to));
    }
    int[] source = order;
    int[] target = other;
    for (int length = RUN; length < to - from; length *= 2) {
      for (int start = from; start < to; start += 2 * length) {
        int middle = Math.min(start + length, to);
        merge(source, target, start, middle, Math.min(middle + length, to));
      }
      int[] swap = source;
      source = target;
      target = swap;
    }
    if (source != order) {
      System.arraycopy(source, from, order, from, to - from);
    }
  }

  private void insert(int start, int end) {
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
