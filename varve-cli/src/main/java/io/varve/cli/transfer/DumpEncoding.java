package io.varve.cli.transfer;

import static java.util.Objects.requireNonNull;

import io.varve.cli.console.ByteEncoding;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.KeyText;

/// How a dump writes bytes.
public enum DumpEncoding {
  /// Text where it can be, base64 where not, field by field. CSV has one name for a whole column,
  /// so there it is text.
  AUTO,

  /// UTF-8 alone.
  TEXT,

  /// Hex digits.
  HEX,

  /// Base64.
  BASE64;

  /// The encoding of one field with these bytes.
  ByteEncoding of(byte[] bytes) {
    return switch (this) {
      case AUTO -> KeyText.decodeUtf8(bytes) == null ? ByteEncoding.BASE64 : ByteEncoding.TEXT;
      case TEXT, HEX, BASE64 -> ofColumn();
    };
  }

  /// The encoding of a whole column.
  ByteEncoding ofColumn() {
    return switch (this) {
      case AUTO, TEXT -> ByteEncoding.TEXT;
      case HEX -> ByteEncoding.HEX;
      case BASE64 -> ByteEncoding.BASE64;
    };
  }

  /// The field of `bytes`, of the entry with this key.
  static String encode(ByteEncoding encoding, byte[] bytes, byte[] key) {
    String field = encoding.encode(bytes);
    if (field == null) {
      throw CommandException.usage(
          "key or value is not UTF-8: key="
              + requireNonNull(KeyText.print(key))
              + "; use --encoding base64 or hex");
    }
    return field;
  }
}
