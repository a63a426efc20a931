package io.varve.query.internal.parse;

import io.varve.query.internal.grammar.QueryLexer;
import io.varve.query.internal.grammar.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/// Turns the first error of the parser into an exception: the text is refused as a whole.
final class SyntaxErrors extends BaseErrorListener {
  /// How many expected symbols are named at most.
  private static final int EXPECTED_MAX = 12;

  @Override
  public void syntaxError(
      Recognizer<?, ?> recognizer,
      Object offendingSymbol,
      int line,
      int column,
      String message,
      @Nullable RecognitionException e) {
    Parser parser = (Parser) recognizer;
    Token token = e == null ? (Token) offendingSymbol : e.getOffendingToken();
    throw Problems.at(token, problem(token), expected(parser, e));
  }

  private static String problem(Token token) {
    if (token.getType() == Token.EOF) {
      return "the query ends too early";
    }
    boolean isUnknown = token.getType() == QueryLexer.UNKNOWN;
    if (isUnknown && token.getText().startsWith("/*")) {
      return "a comment has no end";
    }
    return isUnknown && token.getText().startsWith("'")
        ? "a string has no end"
        : "the query is not understood";
  }

  private static String expected(Parser parser, @Nullable RecognitionException e) {
    IntervalSet tokens = e == null ? parser.getExpectedTokens() : e.getExpectedTokens();
    List<String> names = new ArrayList<>();
    if (tokens != null) {
      boolean isValue = tokens.contains(QueryParser.STRING);
      boolean isName = tokens.contains(QueryParser.IDENTIFIER);
      if (isValue) {
        names.add("a value");
      } else if (isName) {
        names.add("a name");
      }
      for (int type : tokens.toList()) {
        if (isNamed(type, isValue, isName)) {
          names.add(name(parser, type));
        }
      }
    }
    return names.size() <= EXPECTED_MAX
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, EXPECTED_MAX)) + ", ...";
  }

  /// Words that are names here, and the starts of values, are not listed one by one.
  private static boolean isNamed(int type, boolean isValue, boolean isName) {
    return switch (type) {
      case QueryParser.IDENTIFIER,
          QueryParser.QUOTED,
          QueryParser.BOTH,
          QueryParser.CAST,
          QueryParser.DATE,
          QueryParser.DATETIME,
          QueryParser.EMPTY,
          QueryParser.ESCAPE,
          QueryParser.EXTRACT,
          QueryParser.FIRST,
          QueryParser.LAST,
          QueryParser.LEADING,
          QueryParser.LOCAL,
          QueryParser.MEMBER,
          QueryParser.OF,
          QueryParser.TIME,
          QueryParser.TRAILING,
          QueryParser.TRIM,
          QueryParser.LEFT,
          QueryParser.INNER,
          QueryParser.OUTER,
          QueryParser.SET ->
          !isName;
      case QueryParser.STRING,
          QueryParser.INTEGER,
          QueryParser.DECIMAL,
          QueryParser.TRUE,
          QueryParser.FALSE,
          QueryParser.NULL,
          QueryParser.CASE,
          QueryParser.COLON,
          QueryParser.QUESTION,
          QueryParser.PLUS,
          QueryParser.MINUS ->
          !isValue;
      default -> true;
    };
  }

  private static String name(Parser parser, int type) {
    if (type == Token.EOF) {
      return "end of the query";
    }
    String literal = parser.getVocabulary().getLiteralName(type);
    if (literal != null) {
      return literal.substring(1, literal.length() - 1).toLowerCase(Locale.ROOT);
    }
    return switch (type) {
      case QueryParser.NE -> "<>";
      case QueryParser.INTEGER, QueryParser.DECIMAL -> "a number";
      case QueryParser.STRING -> "a string";
      case QueryParser.IDENTIFIER, QueryParser.QUOTED -> "a name";
      default -> parser.getVocabulary().getSymbolicName(type).toLowerCase(Locale.ROOT);
    };
  }
}
