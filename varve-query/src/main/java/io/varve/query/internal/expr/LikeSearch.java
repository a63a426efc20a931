package io.varve.query.internal.expr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/// Matches a text with a form in a time that no text and no form makes long: that of both lengths
/// together, and for parts with [#ONE] that of their product by 64 (Baeza-Yates and Gonnet, 1992).
///
/// Each part between two [#MANY] is looked for where it comes first after the one before.
final class LikeSearch {
  /// Any one code point.
  static final int ONE = -1;

  /// Any code points, or none.
  static final int MANY = -2;

  private static final int[] NONE = {};

  private final int[] form;
  private final int[] text;

  /// @param form code points, [#ONE] and at least one [#MANY]
  /// @param text code points
  LikeSearch(int[] form, int[] text) {
    this.form = form;
    this.text = text;
  }

  boolean matches() {
    int first = indexOfMany(0);
    int last = form.length - 1;
    while (form[last] != MANY) {
      last--;
    }
    int end = text.length - (form.length - 1 - last);
    if (end < first || !isAt(0, first, 0) || !isAt(last + 1, form.length, end)) {
      return false;
    }
    int at = first;
    int start = first + 1;
    while (at >= 0 && start <= last) {
      int next = indexOfMany(start);
      at = next == start ? at : find(Arrays.copyOfRange(form, start, next), at, end);
      start = next + 1;
    }
    return at >= 0;
  }

  private int indexOfMany(int from) {
    int at = from;
    while (form[at] != MANY) {
      at++;
    }
    return at;
  }

  private boolean isAt(int from, int to, int inText) {
    for (int at = from; at < to; at++) {
      if (form[at] != ONE && form[at] != text[inText + at - from]) {
        return false;
      }
    }
    return true;
  }

  /// Where the first part of the text that fits ends, or -1.
  private int find(int[] part, int from, int end) {
    return Arrays.stream(part).anyMatch(symbol -> symbol == ONE)
        ? findWithGaps(part, from, end)
        : findExactly(part, from, end);
  }

  /// Knuth, Morris and Pratt, 1977.
  private int findExactly(int[] part, int from, int end) {
    int[] borders = new int[part.length];
    for (int at = 1, border = 0; at < part.length; at++) {
      while (border > 0 && part[at] != part[border]) {
        border = borders[border - 1];
      }
      border += part[at] == part[border] ? 1 : 0;
      borders[at] = border;
    }
    int fitting = 0;
    for (int at = from; at < end; at++) {
      while (fitting > 0 && text[at] != part[fitting]) {
        fitting = borders[fitting - 1];
      }
      fitting += text[at] == part[fitting] ? 1 : 0;
      if (fitting == part.length) {
        return at + 1;
      }
    }
    return -1;
  }

  /// Has a bit for each beginning of the part that fits up to here.
  private int findWithGaps(int[] part, int from, int end) {
    int words = (part.length + Long.SIZE - 1) / Long.SIZE;
    var symbols = new Symbols(part, words);
    long[] fitting = new long[words];
    for (int at = from; at < end; at++) {
      long carry = 1; // each code point may be the first one that fits
      for (int word = 0; word < words; word++) {
        long shifted = fitting[word] << 1 | carry;
        carry = fitting[word] >>> (Long.SIZE - 1);
        fitting[word] = shifted;
      }
      symbols.keep(text[at], fitting);
      if ((fitting[words - 1] >>> (part.length - 1) & 1) != 0) {
        return at + 1;
      }
    }
    return -1;
  }

  /// Where each code point fits in a part: a set of bits for one that is in it often, a list for
  /// any other. So all together take memory in proportion to the part.
  private static final class Symbols {
    private final long[] gaps;
    private final Map<Integer, long[]> sets = new HashMap<>();
    private final Map<Integer, int[]> lists = new HashMap<>();

    Symbols(int[] part, int words) {
      this.gaps = new long[words];
      Map<Integer, IntStream.Builder> offsets = new HashMap<>();
      for (int at = 0; at < part.length; at++) {
        if (part[at] == ONE) {
          set(gaps, at);
        } else {
          offsets.computeIfAbsent(part[at], _ -> IntStream.builder()).add(at);
        }
      }
      offsets.forEach((symbol, all) -> add(symbol, all.build().toArray()));
    }

    private void add(int symbol, int[] offsets) {
      if (offsets.length <= gaps.length) {
        lists.put(symbol, offsets);
        return;
      }
      long[] bits = gaps.clone();
      for (int at : offsets) {
        set(bits, at);
      }
      sets.put(symbol, bits);
    }

    private static void set(long[] bits, int at) {
      bits[at / Long.SIZE] |= 1L << at;
    }

    /// Keeps the bits of the offsets where a code point fits.
    void keep(int symbol, long[] fitting) {
      int[] list = lists.getOrDefault(symbol, NONE);
      boolean[] isKept = new boolean[list.length];
      for (int i = 0; i < list.length; i++) {
        isKept[i] = (fitting[list[i] / Long.SIZE] >>> list[i] & 1) != 0;
      }
      long[] bits = sets.getOrDefault(symbol, gaps);
      for (int word = 0; word < bits.length; word++) {
        fitting[word] &= bits[word];
      }
      for (int i = 0; i < list.length; i++) {
        if (isKept[i]) {
          set(fitting, list[i]);
        }
      }
    }
  }
}
