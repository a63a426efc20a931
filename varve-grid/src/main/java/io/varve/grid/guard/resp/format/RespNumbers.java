package io.varve.grid.guard.resp.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// Whole numbers in words of RESP.
///
/// (NUMBERS-1) They are what Redis takes for one: as it writes them itself. Infinispan takes `+1`,
/// `-0` and `007` as well, and of a number beyond 64 bits what is left of its lower ones: `INCRBY`
/// of 18446744073709551716 added 100.
public final class RespNumbers {
  private RespNumbers() {}

  /// The number that a word is.
  ///
  /// @throws NumberFormatException if it is none, or beyond 64 bits
  public static long toLong(byte[] word) {
    String written = new String(word, ISO_8859_1);
    long number = Long.parseLong(written);
    if (!Long.toString(number).equals(written)) {
      throw new NumberFormatException("a number that is written otherwise");
    }
    return number;
  }

  public static boolean isNumber(byte[] word) {
    try {
      toLong(word);
      return true;
    } catch (NumberFormatException _) {
      return false;
    }
  }
}
