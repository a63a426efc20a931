package io.varve.query.internal.run;

import io.varve.query.internal.expr.Scope;

/// Rows of all sources together, one after the other.
interface ScopeStream extends AutoCloseable {
  /// Moves to the next row.
  boolean next();

  /// The row, until the next move.
  Scope scope();

  @Override
  void close();
}
