package io.varve.query.internal.parse;

import io.varve.query.QueryException;
import io.varve.query.internal.grammar.QueryLexer;
import io.varve.query.internal.grammar.QueryParser;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Token;

/// Reads the text of a query. Any text is a statement or a [QueryException]: sizes and depths are
/// bounded, so that no text exhausts the stack.
public final class QueryReader {
  /// The longest text, in characters.
  private static final int TEXT_LENGTH_MAX = 1 << 20;

  /// The most words and signs of a text.
  private static final int TOKENS_MAX = 50_000;

  /// How deep brackets and `case` nest. Each level takes about ten frames of the stack.
  private static final int DEPTH_MAX = 100;

  private QueryReader() {}

  /// The statement of a text, resolved against tables.
  ///
  /// @throws QueryException if the text is none
  public static Statement read(String text, Catalog catalog) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new QueryException(
          "the query is too long",
          1,
          1,
          text.length() + " characters",
          "at most " + TEXT_LENGTH_MAX,
          null);
    }
    QueryLexer lexer = new QueryLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    tokens.fill();
    checkSize(tokens);
    QueryParser parser = new QueryParser(tokens);
    parser.removeErrorListeners();
    parser.addErrorListener(new SyntaxErrors());
    return new StatementBuilder(catalog).statement(parser.statement());
  }

  private static void checkSize(CommonTokenStream tokens) {
    int depth = 0;
    boolean isMember = false;
    for (Token token : tokens.getTokens()) {
      if (!isMember) { // after a dot each word is a name
        depth = Math.max(0, depth + nesting(token)); // below 0 the parser refuses the text
      }
      isMember = token.getType() == QueryLexer.DOT;
      if (depth > DEPTH_MAX) {
        throw Problems.at(token, "the query nests too deep", "at most " + DEPTH_MAX + " levels");
      }
      if (token.getTokenIndex() > TOKENS_MAX) {
        throw Problems.at(token, "the query is too long", "at most " + TOKENS_MAX + " words");
      }
    }
  }

  /// How much deeper the parser is after a word or sign.
  private static int nesting(Token token) {
    return switch (token.getType()) {
      case QueryLexer.LPAREN, QueryLexer.CASE -> 1;
      case QueryLexer.RPAREN, QueryLexer.END -> -1;
      default -> 0;
    };
  }
}
