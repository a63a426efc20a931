package io.varve.cli.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.query.Queries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// What the last word of a query may become: a space, a field of the documents of a space that the
/// text names, or a word of the language.
public final class QueryCompletions {
  /// As many documents as show most fields without a wait.
  private static final int DOCUMENTS_MAX = 50;

  /// A longer value takes too long for a key that was pressed.
  private static final int DOCUMENT_BYTES_MAX = 1 << 16;

  /// More are no help.
  private static final int FIELDS_MAX = 500;

  private QueryCompletions() {}

  /// The text, with each of the words that its last one may become.
  ///
  /// @param text from its beginning to the cursor
  public static List<String> of(Store store, String text) {
    int start = text.length();
    while (start > 0 && isOfName(text.charAt(start - 1))) {
      start--;
    }
    String head = text.substring(0, start);
    String last = text.substring(start).toLowerCase(Locale.ROOT);
    if (isInText(head)) {
      return List.of();
    }
    Set<String> words = new TreeSet<>(Queries.words());
    Set<String> named = Set.of(head.split("[^\\p{L}\\p{Nd}_$]+"));
    for (String space : store.spaceNames()) {
      if (space.chars().allMatch(point -> isOfName((char) point))) {
        words.add(space);
        if (named.contains(space)) {
          addFields(store, space, words);
        }
      }
    }
    List<String> completed = new ArrayList<>();
    for (String word : words) {
      if (word.toLowerCase(Locale.ROOT).startsWith(last)) {
        completed.add(head + word);
      }
    }
    return completed;
  }

  private static boolean isOfName(char unit) {
    return Character.isLetterOrDigit(unit) || unit == '_' || unit == '$' || unit == '.';
  }

  /// Whether a string has begun and has no end yet.
  private static boolean isInText(String head) {
    return head.chars().filter(unit -> unit == '\'').count() % 2 == 1;
  }

  private static void addFields(Store store, String name, Set<String> fields) {
    Space space = store.findSpace(name);
    if (space == null) {
      return;
    }
    try (Cursor cursor = space.cursor(Range.all())) {
      for (int i = 0; i < DOCUMENTS_MAX && cursor.next(); i++) {
        if (cursor.valueLength() <= DOCUMENT_BYTES_MAX && !addFields(cursor.value(), fields)) {
          return;
        }
      }
    }
  }

  /// Whether the value is JSON, so that the next ones may be as well.
  private static boolean addFields(byte[] value, Set<String> fields) {
    try {
      addFields("", Answers.parse(new String(value, UTF_8)), fields);
      return true;
    } catch (IllegalArgumentException _) {
      return false; // a space of something else
    }
  }

  private static void addFields(String prefix, JsonNode document, Set<String> fields) {
    if (!document.isObject()) {
      return;
    }
    for (Map.Entry<String, JsonNode> field : document.properties()) {
      String path = prefix + field.getKey();
      if (fields.size() < FIELDS_MAX && path.chars().allMatch(unit -> isOfName((char) unit))) {
        fields.add(path);
        addFields(path + ".", field.getValue(), fields);
      }
    }
  }
}
