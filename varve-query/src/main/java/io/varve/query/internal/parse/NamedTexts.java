package io.varve.query.internal.parse;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads files of queries: each follows a line that names it.
public final class NamedTexts {
  private static final String MARK = "-- name:";

  private NamedTexts() {}

  /// The texts by name.
  ///
  /// @throws IllegalArgumentException if a text has no name, or two have one
  public static Map<String, String> parse(String file) {
    Map<String, String> texts = new LinkedHashMap<>();
    String name = null;
    StringBuilder text = new StringBuilder();
    for (String line : file.lines().toList()) {
      if (line.startsWith(MARK)) {
        add(texts, name, text);
        name = line.substring(MARK.length()).strip();
        text.setLength(0);
      } else {
        text.append(line).append('\n');
      }
    }
    add(texts, name, text);
    return texts;
  }

  private static void add(Map<String, String> texts, @Nullable String name, StringBuilder text) {
    if (name == null) {
      if (!text.toString().isBlank()) {
        throw new IllegalArgumentException("a query has no name: write a line " + MARK + " NAME");
      }
    } else if (texts.put(name, text.toString().strip()) != null) {
      throw new IllegalArgumentException("two queries have one name: name=" + name);
    }
  }
}
