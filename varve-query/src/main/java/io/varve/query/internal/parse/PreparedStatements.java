package io.varve.query.internal.parse;

import io.varve.query.internal.run.Bound;
import io.varve.query.internal.statement.Catalog;
import io.varve.query.internal.statement.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Statements by their texts: the ones used last, up to a bound. Thread-safe; a text that two
/// threads ask for first is read twice.
public final class PreparedStatements {
  private final Catalog catalog;
  private final Map<String, Prepared> kept;

  /// None yet.
  ///
  /// @param keptMax how many are kept
  public PreparedStatements(Catalog catalog, int keptMax) {
    this.catalog = catalog;
    this.kept = Collections.synchronizedMap(new LastUsed(keptMax));
  }

  /// The statement of a text.
  ///
  /// @throws io.varve.query.QueryException if the text is none
  public Prepared get(String text) {
    Prepared known = kept.get(text);
    if (known != null) {
      return known;
    }
    Statement statement = QueryReader.read(text, catalog);
    Prepared prepared = new Prepared(statement, Bound.parameters(statement));
    kept.put(text, prepared);
    return prepared;
  }

  /// A statement with the names of its parameters.
  public record Prepared(Statement statement, Set<String> parameters) {}

  /// Forgets what was used longest ago.
  private static final class LastUsed extends LinkedHashMap<String, Prepared> {
    private static final long serialVersionUID = 1;

    private final int keptMax;

    LastUsed(int keptMax) {
      super(16, 0.75f, /* accessOrder= */ true);
      this.keptMax = keptMax;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Prepared> eldest) {
      return size() > keptMax;
    }
  }
}
