package io.varve.grid.guard.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.grid.guard.resp.format.RespNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.infinispan.server.resp.response.LCSResponse;

/// What `LCS` answers, and `STRALGO LCS KEYS`, as Redis does: a key that is not there is an empty
/// string.
///
/// - (LCS-1) Infinispan answers an error for a key that is not there, and nothing for a key that is
///   named twice.
/// - (LCS-2) The table takes four bytes for each pair of prefixes, which is what [BoundedReply]
///   bounds.
final class CommonSubsequence {
  private final byte[] first;
  private final byte[] second;

  /// The length that the first bytes of both have in common: of so many of the first string, and so
  /// many of the second one. It is one array: one for each row would take more than a row of few
  /// numbers does (LCS-2).
  private final int[] lengths;

  private CommonSubsequence(byte[] first, byte[] second) {
    this.first = first;
    this.second = second;
    this.lengths = new int[Math.multiplyExact(first.length + 1, second.length + 1)];
    for (int one = 1; one <= first.length; one++) {
      for (int other = 1; other <= second.length; other++) {
        lengths[at(one, other)] =
            first[one - 1] == second[other - 1]
                ? length(one - 1, other - 1) + 1
                : Math.max(length(one - 1, other), length(one, other - 1));
      }
    }
  }

  private int at(int one, int other) {
    return one * (second.length + 1) + other;
  }

  private int length(int one, int other) {
    return lengths[at(one, other)];
  }

  /// What the words after the keys ask for.
  record Options(boolean length, boolean ranges, long rangeMin, boolean rangeLengths) {
    /// @throws IllegalArgumentException with the error that is answered
    static Options of(List<byte[]> words) {
      boolean length = false;
      boolean ranges = false;
      boolean rangeLengths = false;
      long rangeMin = 0;
      for (int at = 0; at < words.size(); at++) {
        switch (new String(words.get(at), US_ASCII).toUpperCase(Locale.ROOT)) {
          case "LEN" -> length = true;
          case "IDX" -> ranges = true;
          case "WITHMATCHLEN" -> rangeLengths = true;
          case "MINMATCHLEN" -> {
            if (++at == words.size()) {
              throw new IllegalArgumentException("syntax error");
            }
            rangeMin = number(words.get(at));
          }
          default -> throw new IllegalArgumentException("syntax error");
        }
      }
      if (length && ranges) {
        throw new IllegalArgumentException(
            "If you want both the length and indexes, please just use IDX.");
      }
      return new Options(length, ranges, rangeMin, rangeLengths);
    }

    private static long number(byte[] word) {
      try {
        return RespNumbers.toLong(word);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("value is not an integer or out of range", e);
      }
    }
  }

  /// The answer for two strings.
  static LCSResponse of(byte[] first, byte[] second, Options options) {
    var common = new CommonSubsequence(first, second);
    var answer = new LCSResponse();
    answer.len = common.length(first.length, second.length);
    if (options.ranges()) {
      answer.idx = new ArrayList<>(common.ranges(options));
    } else if (!options.length()) {
      answer.lcs = common.bytes(answer.len);
    }
    return answer;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    int one = first.length;
    int other = second.length;
    for (int at = length; at > 0; ) {
      if (first[one - 1] == second[other - 1]) {
        one--;
        other--;
        bytes[--at] = first[one];
      } else if (length(one - 1, other) > length(one, other - 1)) {
        one--;
      } else {
        other--;
      }
    }
    return bytes;
  }

  /// Both ranges of each run that both strings have, the last one first.
  private List<long[]> ranges(Options options) {
    List<long[]> ranges = new ArrayList<>();
    int one = first.length;
    int other = second.length;
    while (one > 0 && other > 0) {
      int run = 0;
      while (run < Math.min(one, other) && first[one - run - 1] == second[other - run - 1]) {
        run++;
      }
      if (run > 0) {
        if (run >= options.rangeMin()) {
          ranges.add(range(one, other, run, options.rangeLengths()));
        }
        one -= run;
        other -= run;
      } else if (length(one - 1, other) > length(one, other - 1)) {
        one--;
      } else {
        other--;
      }
    }
    return ranges;
  }

  private static long[] range(int one, int other, int run, boolean hasLength) {
    return hasLength
        ? new long[] {one - run, one - 1, other - run, other - 1, run}
        : new long[] {one - run, one - 1, other - run, other - 1};
  }
}
