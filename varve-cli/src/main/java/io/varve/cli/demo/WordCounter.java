package io.varve.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/// Counts the words of a text: runs of letters, digits and underscores that start with no digit. A
/// word of one letter has no meaning, and one of very many is no word.
final class WordCounter {
  private static final int LENGTH_MIN = 2;
  private static final int LENGTH_MAX = 100;

  private WordCounter() {}

  /// How often each word occurs.
  static Map<String, Integer> count(byte[] content) {
    var counts = new HashMap<String, Integer>();
    String text = new String(content, UTF_8);
    int start = -1;
    for (int i = 0; i <= text.length(); i++) {
      boolean isPart = i < text.length() && isWordPart(text.charAt(i));
      if (isPart && start < 0) {
        start = i;
      } else if (!isPart && start >= 0) {
        int length = i - start;
        if (length >= LENGTH_MIN
            && length <= LENGTH_MAX
            && !Character.isDigit(text.charAt(start))) {
          counts.merge(text.substring(start, i), 1, Integer::sum);
        }
        start = -1;
      }
    }
    return counts;
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
