package io.varve.internal.file;

import java.util.Arrays;

/// A growing set of unit numbers, one bit each. Not safe for threads.
final class UnitMap {
  private long[] words = new long[64];
  private long size;

  boolean contains(long unit) {
    int word = (int) (unit >>> 6);
    return word < words.length && (words[word] & 1L << unit) != 0;
  }

  /// Adds a run of units.
  ///
  /// @return whether none of them was in the set before
  boolean add(long from, long count) {
    long end = from + count;
    ensure(end);
    long added = 0;
    for (long unit = from; unit < end; unit = nextWord(unit)) {
      int word = (int) (unit >>> 6);
      long bits = bits(unit, end);
      added += Long.bitCount(bits & ~words[word]);
      words[word] |= bits;
    }
    size += added;
    return added == count;
  }

  /// Removes a run of units.
  ///
  /// @return whether all of them were in the set before
  boolean remove(long from, long count) {
    long end = from + count;
    ensure(end);
    long removed = 0;
    for (long unit = from; unit < end; unit = nextWord(unit)) {
      int word = (int) (unit >>> 6);
      long bits = bits(unit, end);
      removed += Long.bitCount(bits & words[word]);
      words[word] &= ~bits;
    }
    size -= removed;
    return removed == count;
  }

  /// The bits of the units from `unit` on and below `end` that are in the same word.
  private static long bits(long unit, long end) {
    long from = -1L << unit;
    return end < nextWord(unit) ? from & ~(-1L << end) : from;
  }

  private static long nextWord(long unit) {
    return (unit | 63) + 1;
  }

  private void ensure(long units) {
    int needed = (int) ((units + 63) >>> 6);
    if (needed > words.length) {
      words = Arrays.copyOf(words, Math.max(needed, words.length * 2));
    }
  }

  /// The first unit at or after `from` that is not in the set.
  long nextAbsent(long from) {
    int word = (int) (from >>> 6);
    if (word >= words.length) {
      return from;
    }
    long bits = ~words[word] & -1L << from;
    while (bits == 0) {
      if (++word == words.length) {
        return (long) word << 6;
      }
      bits = ~words[word];
    }
    return ((long) word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /// The first unit at or after `from` that is in the set, or `limit` if there is none below it.
  long nextPresent(long from, long limit) {
    int word = (int) (from >>> 6);
    if (word >= words.length) {
      return limit;
    }
    long bits = words[word] & -1L << from;
    while (bits == 0) {
      if (++word == words.length) {
        return limit;
      }
      bits = words[word];
    }
    return Math.min(limit, ((long) word << 6) + Long.numberOfTrailingZeros(bits));
  }

  /// One more than the greatest unit in the set, or 0.
  long end() {
    for (int word = words.length - 1; word >= 0; word--) {
      if (words[word] != 0) {
        return ((long) word << 6) + 64 - Long.numberOfLeadingZeros(words[word]);
      }
    }
    return 0;
  }

  /// How many units are in the set.
  long size() {
    return size;
  }
}
