package io.varve.grid.guard.resp.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The words of a line, as Redis reads them: in quotes they may have spaces, and in double quotes
/// bytes that are written by a backslash. A letter is a byte.
public final class RespWords {
  private static final int HEX = 16;

  private final String line;
  private int at;

  private RespWords(String line) {
    this.line = line;
  }

  /// The words of a line, or null if a quote does not end as it should.
  public static @Nullable List<String> of(String line) {
    return new RespWords(line).words();
  }

  private @Nullable List<String> words() {
    List<String> words = new ArrayList<>();
    while (true) {
      while (at < line.length() && isSpace(line.charAt(at))) {
        at++;
      }
      if (at == line.length()) {
        return words;
      }
      String word = word();
      if (word == null) {
        return null;
      }
      words.add(word);
    }
  }

  private @Nullable String word() {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && !isSpace(line.charAt(at))) {
      char letter = line.charAt(at++);
      if (letter == '"' || letter == '\'') {
        boolean ended = letter == '"' ? readDouble(word) : readSingle(word);
        return ended && (at == line.length() || isSpace(line.charAt(at))) ? word.toString() : null;
      }
      word.append(letter);
    }
    return word.toString();
  }

  private boolean readSingle(StringBuilder word) {
    while (at < line.length()) {
      char letter = line.charAt(at++);
      if (letter == '\'') {
        return true;
      }
      if (letter == '\\' && at < line.length() && line.charAt(at) == '\'') {
        at++;
        word.append('\'');
      } else {
        word.append(letter);
      }
    }
    return false;
  }

  private boolean readDouble(StringBuilder word) {
    while (at < line.length()) {
      char letter = line.charAt(at++);
      if (letter == '"') {
        return true;
      }
      word.append(letter == '\\' && at < line.length() ? escaped() : letter);
    }
    return false;
  }

  private char escaped() {
    char letter = line.charAt(at++);
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'a' -> '\u0007';
      case 'x' -> hex();
      default -> letter;
    };
  }

  private char hex() {
    if (at + 2 > line.length()) {
      return 'x';
    }
    int high = Character.digit(line.charAt(at), HEX);
    int low = Character.digit(line.charAt(at + 1), HEX);
    if (high < 0 || low < 0) {
      return 'x';
    }
    at += 2;
    return (char) (high * HEX + low);
  }

  private static boolean isSpace(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
  }
}
