package io.varve.internal.txn;

import java.util.Arrays;
import java.util.HexFormat;

/// Keys as messages name them: short, and in printable characters alone.
final class KeyText {
  private static final int BYTES_MAX = 32;

  private KeyText() {}

  /// A key in quotes if it is plain ASCII, else in hexadecimal digits; the first part of a long
  /// one.
  static String of(byte[] key) {
    byte[] head = Arrays.copyOf(key, Math.min(key.length, BYTES_MAX));
    String text = isPlain(head) ? quoted(head) : "0x" + HexFormat.of().formatHex(head);
    return head.length == key.length ? text : text + "... (" + key.length + " bytes)";
  }

  private static boolean isPlain(byte[] key) {
    for (byte b : key) {
      if (b < ' ' || b > '~' || b == '"') {
        return false;
      }
    }
    return key.length > 0;
  }

  private static String quoted(byte[] key) {
    StringBuilder text = new StringBuilder("\"");
    for (byte b : key) {
      text.append((char) b);
    }
    return text.append('"').toString();
  }
}
