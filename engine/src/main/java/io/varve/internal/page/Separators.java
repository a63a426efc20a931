package io.varve.internal.page;

import java.util.Arrays;

/// The keys that separate the children of an inner node, in order, stored end to end. Immutable.
///
/// A search compares heads, the four bytes after what all of them share, as integers, and whole
/// separators only where heads are equal.
final class Separators {
  static final Separators NONE = of(new byte[0][]);

  private final byte[] bytes;

  /// Where each separator ends in the bytes; it begins where the one before ends.
  private final int[] ends;

  /// How many bytes all separators share; the heads start after them.
  private final int prefixLength;

  private final int[] heads;

  private Separators(byte[] bytes, int[] ends) {
    this.bytes = bytes;
    this.ends = ends;
    int count = ends.length;
    prefixLength = count == 0 ? 0 : commonPrefix();
    heads = new int[count];
    for (int i = 0; i < count; i++) {
      heads[i] = Bytes.head(bytes, start(i) + prefixLength, ends[i]);
    }
  }

  /// What the first and the last share, and so all between them.
  private int commonPrefix() {
    int mismatch = Arrays.mismatch(bytes, 0, ends[0], bytes, start(ends.length - 1), bytes.length);
    return mismatch < 0 ? ends[0] : mismatch;
  }

  /// Separators in order.
  static Separators of(byte[][] separators) {
    int length = 0;
    int[] ends = new int[separators.length];
    for (int i = 0; i < separators.length; i++) {
      length += separators[i].length;
      ends[i] = length;
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < separators.length; i++) {
      System.arraycopy(separators[i], 0, bytes, start(ends, i), separators[i].length);
    }
    return new Separators(bytes, ends);
  }

  private static int start(int[] ends, int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  private int start(int index) {
    return start(ends, index);
  }

  int count() {
    return ends.length;
  }

  /// Touches what a search compares first.
  int touch() {
    return heads.length == 0 ? 0 : heads[heads.length >>> 1];
  }

  /// The bytes of all separators.
  int length() {
    return bytes.length;
  }

  /// The bytes of one separator.
  int length(int index) {
    return ends[index] - start(index);
  }

  /// A copy of one separator.
  byte[] get(int index) {
    return Arrays.copyOfRange(bytes, start(index), ends[index]);
  }

  /// The order of one separator and a key.
  int compare(int index, byte[] key) {
    return Arrays.compareUnsigned(bytes, start(index), ends[index], key, 0, key.length);
  }

  /// How many separators are not above `key`.
  int find(byte[] key) {
    int skip = prefixLength;
    if (skip != 0) {
      int order = Arrays.compareUnsigned(key, 0, Math.min(skip, key.length), bytes, 0, skip);
      if (order != 0) {
        return order < 0 ? 0 : heads.length;
      }
    }
    int head = Bytes.head(key, skip, key.length);
    int low = firstHead(head, 0);
    if (low == heads.length || heads[low] != head) {
      return low;
    }
    int high = head == Integer.MAX_VALUE ? heads.length : firstHead(head + 1, low);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The index of the first head from `low` on that is not below `head`.
  private int firstHead(int head, int low) {
    int first = low;
    int left = heads.length - low;
    while (left > 0) {
      int half = (left + 1) >>> 1;
      first += half & Bytes.maskIfBelow(heads[first + half - 1], head);
      left -= half;
    }
    return first;
  }

  /// These with others in place of those from `from` (inclusive) to `to` (exclusive).
  Separators replace(int from, int to, Separators others) {
    int begin = start(from);
    int end = start(to);
    int shift = begin + others.bytes.length - end;
    byte[] newBytes = new byte[bytes.length + shift];
    System.arraycopy(bytes, 0, newBytes, 0, begin);
    System.arraycopy(others.bytes, 0, newBytes, begin, others.bytes.length);
    System.arraycopy(bytes, end, newBytes, end + shift, bytes.length - end);
    int[] newEnds = new int[from + others.count() + count() - to];
    System.arraycopy(ends, 0, newEnds, 0, from);
    for (int i = 0; i < others.count(); i++) {
      newEnds[from + i] = begin + others.ends[i];
    }
    for (int i = to; i < ends.length; i++) {
      newEnds[from + others.count() + i - to] = ends[i] + shift;
    }
    return new Separators(newBytes, newEnds);
  }

  /// Those from `from` (inclusive) to `to` (exclusive).
  Separators slice(int from, int to) {
    int begin = start(from);
    int[] newEnds = new int[to - from];
    for (int i = 0; i < newEnds.length; i++) {
      newEnds[i] = ends[from + i] - begin;
    }
    return new Separators(Arrays.copyOfRange(bytes, begin, start(to)), newEnds);
  }
}
