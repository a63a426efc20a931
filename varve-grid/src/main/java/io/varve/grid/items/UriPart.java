package io.varve.grid.items;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A part of an address, as it is sent: what is not UTF-8, or no escape, is refused, and `+` is a
/// plus.
public final class UriPart {
  private static final int ESCAPE_LENGTH = 3;

  private UriPart() {}

  /// What a part stands for.
  ///
  /// @throws IllegalArgumentException if it stands for nothing
  public static String decoded(String part) {
    var bytes = new ByteArrayOutputStream(part.length());
    for (int at = 0; at < part.length(); at++) {
      char next = part.charAt(at);
      if (next == '%') {
        bytes.write(escaped(part, at));
        at += ESCAPE_LENGTH - 1;
      } else if (next > ' ' && next < 0x7f) {
        bytes.write(next);
      } else {
        throw new IllegalArgumentException(
            "a part of the address has a character that is to be encoded, as %20 for a space");
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "a part of the address is not UTF-8; of an item, write surrogates without a partner as @utf16:",
          e);
    }
  }

  /// The part that stands for a text.
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static int escaped(String part, int at) {
    int high = at + 2 < part.length() ? Character.digit(part.charAt(at + 1), 16) : -1;
    int low = high < 0 ? -1 : Character.digit(part.charAt(at + 2), 16);
    if (low < 0) {
      throw new IllegalArgumentException("a part of the address has a % without two digits");
    }
    return high << 4 | low;
  }
}
