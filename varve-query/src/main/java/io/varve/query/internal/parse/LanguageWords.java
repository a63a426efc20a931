package io.varve.query.internal.parse;

import io.varve.query.internal.grammar.QueryLexer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.antlr.v4.runtime.Vocabulary;

/// The words that the grammar and the functions have.
public final class LanguageWords {
  private LanguageWords() {}

  /// All of them, in lower case and in order.
  public static List<String> all() {
    TreeSet<String> words = new TreeSet<>(FunctionNames.all());
    words.removeIf(word -> word.startsWith("to_")); // what a cast calls, which has its own form
    Vocabulary vocabulary = QueryLexer.VOCABULARY;
    for (int type = 1; type <= vocabulary.getMaxTokenType(); type++) {
      String literal = vocabulary.getLiteralName(type); // in quotes, or null
      String word = literal == null ? "" : literal.substring(1, literal.length() - 1);
      if (!word.isEmpty() && word.chars().allMatch(Character::isLetter)) {
        words.add(word);
      }
    }
    return new ArrayList<>(words);
  }
}
