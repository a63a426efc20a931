package io.varve;

import java.util.Arrays;
import java.util.HexFormat;

/// The refusal of an entry of a table whose bytes its codecs cannot read: those of another version
/// of the program, mostly. It names the table and the key, so that the entry can be found.
///
/// The message of a codec of Varve is a part of it: it has no contents of values. That of any other
/// exception may have, and stays with the cause.
final class Undecodable {
  /// The bytes of a key that are shown.
  private static final int KEY_BYTES_SHOWN_MAX = 48;

  private Undecodable() {}

  /// The refusal of the bytes of a key.
  static IllegalArgumentException key(
      String table, byte[] key, Codec<?> codec, RuntimeException cause) {
    return refusal(table, "key", key, key, codec, cause);
  }

  /// The refusal of the bytes of a value.
  ///
  /// @param key of the entry
  static IllegalArgumentException value(
      String table, byte[] key, byte[] value, Codec<?> codec, RuntimeException cause) {
    return refusal(table, "value", key, value, codec, cause);
  }

  private static IllegalArgumentException refusal(
      String table, String part, byte[] key, byte[] bytes, Codec<?> codec, RuntimeException cause) {
    return new IllegalArgumentException(
        "an entry of the table cannot be decoded: table="
            + table
            + ", key="
            + shown(key)
            + ", part="
            + part
            + ", bytes="
            + bytes.length
            + ", codec="
            + (codec.id().isEmpty() ? "unnamed" : codec.id())
            + "; open the table with a codec that reads these bytes as well, or read them by"
            + " Store.space and put what the codec reads; cause: "
            + cause(cause),
        cause);
  }

  private static String cause(RuntimeException cause) {
    return isOfVarve(cause) ? String.valueOf(cause.getMessage()) : cause.getClass().getName();
  }

  /// Whether a codec of Varve refuses the bytes. What a program calls in a codec of its own throws
  /// the same class: `Enum.valueOf` has the text in its message.
  private static boolean isOfVarve(RuntimeException cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    return cause.getClass() == IllegalArgumentException.class
        && frames.length > 0
        && frames[0].getClassName().startsWith(Undecodable.class.getPackageName() + ".");
  }

  /// Bytes as the command takes a key: ASCII as it is, and all else escaped.
  private static String shown(byte[] key) {
    var text = new StringBuilder();
    for (byte b : Arrays.copyOf(key, Math.min(key.length, KEY_BYTES_SHOWN_MAX))) {
      if (b == '\\') {
        text.append("\\\\");
      } else if (b > ' ' && b <= '~') {
        text.append((char) b);
      } else {
        text.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    return key.length > KEY_BYTES_SHOWN_MAX ? text + "... of " + key.length + " bytes" : "" + text;
  }
}
