package io.varve.query.internal.expr;

import java.util.stream.IntStream;

/// The form that `like` asks for: `%` stands for any characters, `_` for one, and what follows the
/// escape for itself. Characters are code points.
///
/// @param escape one character, or empty for none
public record LikePattern(String pattern, String escape) {
  private static final long STEPS_PER_CHARACTER = 8;

  public LikePattern {
    int length = escape.codePointCount(0, escape.length());
    if (length > 1) {
      throw new IllegalArgumentException(
          "the escape of like is one character or none: length=" + length);
    }
  }

  /// The text that each text of this form starts with.
  public String prefix() {
    StringBuilder prefix = new StringBuilder();
    for (int at = 0; at < pattern.length(); ) {
      int symbol = pattern.codePointAt(at);
      if (isEscape(at)) {
        at += escape.length();
        symbol = pattern.codePointAt(at);
      } else if (symbol == '%' || symbol == '_') {
        break;
      }
      prefix.appendCodePoint(symbol);
      at += Character.charCount(symbol);
    }
    return prefix.toString();
  }

  /// Whether the form is a prefix and then anything.
  public boolean isPrefix() {
    return pattern.endsWith("%") && !escaped().contains("%") && !escaped().contains("_");
  }

  /// The pattern without its last character and without what is escaped.
  private String escaped() {
    StringBuilder rest = new StringBuilder();
    for (int at = 0; at < pattern.length() - 1; ) {
      if (isEscape(at)) {
        at += escape.length();
        at += Character.charCount(pattern.codePointAt(at));
        if (at == pattern.length()) {
          return "%"; // the last sign is escaped, and stands for itself
        }
      } else {
        rest.append(pattern.charAt(at));
        at++;
      }
    }
    return rest.toString();
  }

  /// Whether the escape is here, with a character to escape after it.
  private boolean isEscape(int at) {
    return !escape.isEmpty()
        && pattern.startsWith(escape, at)
        && at + escape.length() < pattern.length();
  }

  /// Whether a text has this form. Returns to the last `%` where what follows it does not fit,
  /// which is quick for most texts. What takes much longer than both are long is left to
  /// [LikeSearch].
  public boolean matches(String text) {
    int at = 0;
    int inText = 0;
    int afterPercent = -1;
    int textOfPercent = 0;
    long steps = STEPS_PER_CHARACTER * ((long) pattern.length() + text.length());
    while (inText < text.length()) {
      if (--steps < 0) {
        return new LikeSearch(symbols(), text.codePoints().toArray()).matches();
      }
      int step = at < pattern.length() ? step(at, text.codePointAt(inText)) : 0;
      if (isPercent(at)) {
        at++;
        afterPercent = at;
        textOfPercent = inText;
      } else if (step > 0) {
        at += step;
        inText += Character.charCount(text.codePointAt(inText));
      } else if (afterPercent >= 0) {
        at = afterPercent;
        textOfPercent += Character.charCount(text.codePointAt(textOfPercent));
        inText = textOfPercent;
      } else {
        return false;
      }
    }
    while (isPercent(at)) {
      at++;
    }
    return at == pattern.length();
  }

  private boolean isPercent(int at) {
    return at < pattern.length() && !isEscape(at) && pattern.charAt(at) == '%';
  }

  /// The pattern as code points, with signs of their own for `%` and `_`.
  int[] symbols() {
    var symbols = IntStream.builder();
    int at = 0;
    while (at < pattern.length()) {
      boolean isEscaped = isEscape(at);
      at += isEscaped ? escape.length() : 0;
      int symbol = pattern.codePointAt(at);
      at += Character.charCount(symbol);
      symbols.add(
          isEscaped
              ? symbol
              : switch (symbol) {
                case '%' -> LikeSearch.MANY;
                case '_' -> LikeSearch.ONE;
                default -> symbol;
              });
    }
    return symbols.build().toArray();
  }

  /// How many characters of the pattern one code point of the text takes, or 0 if it does not fit.
  private int step(int at, int codePoint) {
    if (isEscape(at)) {
      int wanted = pattern.codePointAt(at + escape.length());
      return wanted == codePoint ? escape.length() + Character.charCount(wanted) : 0;
    }
    int wanted = pattern.codePointAt(at);
    return wanted == '_' || wanted == codePoint ? Character.charCount(wanted) : 0;
  }
}
