package io.varve.cli.transfer;

import io.varve.cli.console.ByteEncoding;
import java.util.Locale;

/// The name of a field that holds bytes: `key` holds text, `key:hex` hex digits, `key:base64`
/// base64.
///
/// @param name what the bytes are
/// @param encoding how they are written
record EncodedField(String name, ByteEncoding encoding) {
  /// The name with the encoding.
  String fieldName() {
    return encoding == ByteEncoding.TEXT
        ? name
        : name + ":" + encoding.name().toLowerCase(Locale.ROOT);
  }

  /// The bytes of the field's text.
  byte[] decode(String text, InputPlace place) {
    try {
      return encoding.decode(text);
    } catch (IllegalArgumentException e) {
      throw place.error(fieldName() + " is not what its name states: " + e.getMessage(), e);
    }
  }
}
