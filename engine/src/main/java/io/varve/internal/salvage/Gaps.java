package io.varve.internal.salvage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The ranges of keys of each space whose pages are lost. They come in key order, since trees are
/// walked so, and neighbours become one. For one thread.
final class Gaps {
  /// Beyond this many in a space its whole range counts as one: so a store that is damaged all over
  /// takes no more memory than one that is not.
  private static final int PER_SPACE_MAX = 1 << 16;

  /// Keys from `from`, inclusive, to `to`, exclusive; null is no bound.
  record Gap(byte[] from, byte @Nullable [] to) {
    static final Gap EVERYTHING = new Gap(new byte[0], null);

    boolean contains(byte[] key) {
      return Arrays.compareUnsigned(from, key) <= 0
          && (to == null || Arrays.compareUnsigned(key, to) < 0);
    }

    /// Whether any key from `first` to `last`, inclusive, is in it.
    boolean meets(byte[] first, byte[] last) {
      return Arrays.compareUnsigned(from, last) <= 0
          && (to == null || Arrays.compareUnsigned(first, to) < 0);
    }
  }

  private final Map<Integer, List<Gap>> bySpace = new HashMap<>();

  void add(int space, byte @Nullable [] from, byte @Nullable [] to) {
    Gap gap = new Gap(from == null ? new byte[0] : from, to);
    List<Gap> gaps = bySpace.computeIfAbsent(space, _ -> new ArrayList<>());
    Gap last = gaps.isEmpty() ? null : gaps.getLast();
    if (last != null && Arrays.equals(last.to, gap.from)) {
      gaps.set(gaps.size() - 1, new Gap(last.from, to));
    } else if (gaps.size() < PER_SPACE_MAX) {
      gaps.add(gap);
    } else {
      gaps.clear();
      gaps.add(Gap.EVERYTHING);
    }
  }

  boolean isEmpty() {
    return bySpace.isEmpty();
  }

  /// The gaps that any key from `first` to `last`, inclusive, may be in.
  List<Gap> meeting(int space, byte[] first, byte[] last) {
    List<Gap> gaps = bySpace.getOrDefault(space, List.of());
    int at = firstEndingAfter(gaps, first);
    int end = at;
    while (end < gaps.size() && gaps.get(end).meets(first, last)) {
      end++;
    }
    return gaps.subList(at, end);
  }

  private static int firstEndingAfter(List<Gap> gaps, byte[] key) {
    int low = 0;
    int high = gaps.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      byte[] to = gaps.get(middle).to;
      if (to != null && Arrays.compareUnsigned(to, key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
