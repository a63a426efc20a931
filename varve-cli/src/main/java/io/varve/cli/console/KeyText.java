package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Bytes as one printable word of text, without loss: UTF-8 where it can be shown, and escapes
/// where not. `\\` is a backslash, `\n` `\r` `\t` `\0` are what they are in Java, `\xHH` is one
/// byte. Text that starts with `0x` is hex digits. What [#print] gives, [#parse] takes.
public final class KeyText {
  private static final HexFormat HEX = HexFormat.of();

  private KeyText() {}

  /// The bytes that `text` stands for.
  ///
  /// @throws IllegalArgumentException if an escape or a hex digit is wrong; the message states
  ///   which
  public static byte[] parse(String text) {
    if (text.startsWith("0x")) {
      return parseHex(text.substring(2));
    }
    if (text.indexOf('\\') < 0) {
      return text.getBytes(UTF_8);
    }
    var bytes = new ByteArrayOutputStream(text.length());
    int done = 0;
    for (int at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', done)) {
      bytes.writeBytes(text.substring(done, at).getBytes(UTF_8));
      done = parseEscape(text, at, bytes);
    }
    bytes.writeBytes(text.substring(done).getBytes(UTF_8));
    return bytes.toByteArray();
  }

  /// The bytes of hex digits, two each.
  ///
  /// @throws IllegalArgumentException if they are none
  public static byte[] parseHex(String digits) {
    try {
      return HEX.parseHex(digits);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not pairs of hex digits: '" + digits + "'", e);
    }
  }

  /// The escape at `at`; gives the index after it.
  private static int parseEscape(String text, int at, ByteArrayOutputStream bytes) {
    char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    if (kind == 'x' && at + 4 <= text.length()) {
      bytes.writeBytes(parseHex(text.substring(at + 2, at + 4)));
      return at + 4;
    }
    switch (kind) {
      case '\\' -> bytes.write('\\');
      case 'n' -> bytes.write('\n');
      case 'r' -> bytes.write('\r');
      case 't' -> bytes.write('\t');
      case '0' -> bytes.write(0);
      default ->
          throw new IllegalArgumentException(
              "unknown escape at character "
                  + (at + 1)
                  + " of '"
                  + text
                  + "'; write a backslash as \\\\, a byte as \\xHH");
    }
    return at + 2;
  }

  /// `bytes` as text on one line.
  public static String print(byte[] bytes) {
    var text = new StringBuilder(bytes.length + 8);
    CharsetDecoder decoder = strictDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer chars = CharBuffer.allocate(Math.max(16, Math.min(bytes.length, 1024)));
    while (true) {
      CoderResult result = decoder.decode(in, chars, /* endOfInput= */ true);
      chars.flip();
      chars.chars().forEach(c -> printChar(c, text));
      chars.clear();
      if (result.isError()) {
        for (int i = 0; i < result.length(); i++) {
          printByte(in.get(), text);
        }
        decoder.reset();
      } else if (result.isUnderflow()) {
        break;
      }
    }
    if (text.length() >= 2 && text.charAt(0) == '0' && text.charAt(1) == 'x') {
      text.replace(0, 1, "\\x30"); // Else it would be read back as hex digits.
    }
    return text.toString();
  }

  /// Text on one line for a reader: what a terminal would obey and not show is escaped, as [#print]
  /// does. Backslashes stay as they are, so it cannot be read back.
  public static String shown(String text) {
    var shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          if (c == '\\') {
            shown.append('\\');
          } else {
            printChar(c, shown);
          }
        });
    return shown.toString();
  }

  private static void printChar(int c, StringBuilder text) {
    switch (c) {
      case '\\' -> text.append("\\\\");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      case 0 -> text.append("\\0");
      default -> {
        if (isPrintable(c)) {
          text.appendCodePoint(c);
        } else {
          for (byte b : Character.toString(c).getBytes(UTF_8)) {
            printByte(b, text);
          }
        }
      }
    }
  }

  /// Whether a terminal shows the character and does nothing else. A surrogate is half of one that
  /// was decoded whole.
  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static void printByte(byte b, StringBuilder text) {
    text.append("\\x").append(HEX.toHexDigits(b));
  }

  /// The text of `bytes`, or null if they are not UTF-8.
  public static @Nullable String decodeUtf8(byte[] bytes) {
    CharBuffer chars = CharBuffer.allocate(bytes.length);
    CharsetDecoder decoder = strictDecoder();
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, /* endOfInput= */ true);
    return result.isError() ? null : chars.flip().toString();
  }

  private static CharsetDecoder strictDecoder() {
    return UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
  }
}
