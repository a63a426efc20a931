package io.varve.grid.guard.resp.command;

import java.io.ByteArrayOutputStream;

/// A pattern as Redis has them: `*`, `?`, `[a-c]`, `[^a]` and `\` before a byte that is meant.
///
/// (GLOB-1) To compare takes at most the time of the length of the pattern by that of the text, and
/// no depth of calls. Only the last `*` is tried again: what an earlier one takes more than it
/// must, a later one can take as well.
///
/// (GLOB-2) The empty text is that of the empty pattern alone, as at Redis: `*` matches no channel
/// without a name. `KEYS`, `SCAN` and its kin do not compare with `*`, and have it.
final class GlobPattern {
  /// Of a pattern that is compared with names of any length.
  static final int BYTES_MAX = 1_024;

  static final String TOO_LONG =
      "too long a pattern: max=" + BYTES_MAX + " bytes; name fewer letters";

  private static final int NONE = -1;

  private GlobPattern() {}

  static boolean matches(byte[] pattern, byte[] text) {
    if (text.length == 0) {
      return pattern.length == 0; // GLOB-2
    }
    int at = 0;
    int begin = 0; // of what follows the last star in the text
    int afterStar = NONE;
    int next = 0;
    while (next < text.length) {
      if (at < pattern.length && pattern[at] == '*') {
        at++;
        afterStar = at;
        begin = next;
        continue;
      }
      int after = after(pattern, at, text[next]);
      if (after != NONE) {
        at = after;
        next++;
      } else if (afterStar != NONE) { // The star takes one byte more.
        at = afterStar;
        begin++;
        next = begin;
      } else {
        return false;
      }
    }
    while (at < pattern.length && pattern[at] == '*') {
      at++;
    }
    return at == pattern.length;
  }

  /// A pattern of ASCII that matches all that this one does, and maybe more: `?` takes the place of
  /// other bytes, and `*` that of what follows them from the first set on.
  static byte[] ascii(byte[] pattern) {
    if (isAscii(pattern)) {
      return pattern;
    }
    var ascii = new ByteArrayOutputStream(pattern.length);
    for (int at = 0; at < pattern.length; at++) {
      if (pattern[at] == '[') {
        ascii.write('*');
        return ascii.toByteArray();
      }
      if (pattern[at] == '\\' && at + 1 < pattern.length) {
        at++;
        if (pattern[at] >= 0) {
          ascii.write('\\');
        }
      }
      ascii.write(pattern[at] < 0 ? '?' : pattern[at]);
    }
    return ascii.toByteArray();
  }

  private static boolean isAscii(byte[] pattern) {
    for (byte letter : pattern) {
      if (letter < 0) {
        return false;
      }
    }
    return true;
  }

  /// The offset of what follows a part of a pattern that takes a byte, or [#NONE].
  private static int after(byte[] pattern, int at, byte taken) {
    if (at >= pattern.length) {
      return NONE;
    }
    return switch (pattern[at]) {
      case '?' -> at + 1;
      case '[' -> afterSet(pattern, at + 1, taken);
      case '\\' -> {
        int meant = at + 1 < pattern.length ? at + 1 : at;
        yield pattern[meant] == taken ? meant + 1 : NONE;
      }
      default -> pattern[at] == taken ? at + 1 : NONE;
    };
  }

  /// As at Redis, the end of the pattern ends a set, and the ends of a range are in any order.
  private static int afterSet(byte[] pattern, int begin, byte taken) {
    int at = begin;
    boolean isOther = at < pattern.length && pattern[at] == '^';
    if (isOther) {
      at++;
    }
    boolean isIn = false;
    while (at < pattern.length && pattern[at] != ']') {
      if (pattern[at] == '\\' && at + 1 < pattern.length) {
        isIn |= pattern[at + 1] == taken;
        at += 2;
      } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
        byte one = pattern[at];
        byte other = pattern[at + 2];
        isIn |= Math.min(one, other) <= taken && taken <= Math.max(one, other);
        at += 3;
      } else {
        isIn |= pattern[at] == taken;
        at++;
      }
    }
    return isIn == isOther ? NONE : Math.min(at + 1, pattern.length);
  }
}
