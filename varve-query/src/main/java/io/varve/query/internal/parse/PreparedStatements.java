package io.varve.query.internal.parse;

import io.varve.query.internal.run.Bound;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Statements by their texts: the ones used last, up to a bound of their number and one of their
/// characters together. Thread-safe; a text that two threads ask for first is read twice.
public final class PreparedStatements {
  /// What is understood of a text takes some ten times as much memory as the text.
  private static final int KEPT_LENGTH_MAX = 1 << 20;

  /// A longer text is not kept: it would displace many.
  private static final int TEXT_LENGTH_MAX = 1 << 16;

  private final Catalog catalog;
  private final int keptMax;

  /// By the time of their last use. Guarded by itself.
  private final Map<String, Prepared> kept =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /// The characters of the texts that are kept. Guarded by [#kept].
  private long keptLength;

  /// None yet.
  ///
  /// @param keptMax how many are kept
  public PreparedStatements(Catalog catalog, int keptMax) {
    this.catalog = catalog;
    this.keptMax = keptMax;
  }

  /// The statement of a text.
  ///
  /// @throws io.varve.query.QueryException if the text is none
  public Prepared get(String text) {
    synchronized (kept) {
      Prepared known = kept.get(text);
      if (known != null) {
        return known;
      }
    }
    Statement statement = QueryReader.read(text, catalog);
    Prepared prepared = new Prepared(statement, Bound.parameters(statement));
    if (text.length() <= TEXT_LENGTH_MAX) {
      keep(text, prepared);
    }
    return prepared;
  }

  private void keep(String text, Prepared prepared) {
    synchronized (kept) {
      if (kept.put(text, prepared) == null) {
        keptLength += text.length();
      }
      Iterator<String> oldest = kept.keySet().iterator();
      while (kept.size() > keptMax || keptLength > KEPT_LENGTH_MAX) {
        keptLength -= oldest.next().length();
        oldest.remove();
      }
    }
  }

  /// A statement with the names of its parameters.
  public record Prepared(Statement statement, Set<String> parameters) {}
}
