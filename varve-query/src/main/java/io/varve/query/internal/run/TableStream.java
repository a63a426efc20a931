package io.varve.query.internal.run;

import io.varve.query.Attribute;
import io.varve.query.internal.access.Rows;
import io.varve.query.internal.expr.Scope;
import org.jspecify.annotations.Nullable;

/// The rows of one table. A value is read when an expression asks for it.
final class TableStream implements ScopeStream {
  private final Rows<?, ?> rows;
  private final Scope scope;

  TableStream(Rows<?, ?> rows) {
    this.rows = rows;
    this.scope =
        new Scope() {
          @Override
          public @Nullable Object key(int source) {
            return rows.key();
          }

          @Override
          public @Nullable Object value(int source) {
            return rows.value();
          }

          @Override
          public @Nullable Object attribute(int source, Attribute<?, ?> attribute) {
            return rows.attribute(attribute);
          }
        };
  }

  @Override
  public boolean next() {
    return rows.next();
  }

  @Override
  public Scope scope() {
    return scope;
  }

  @Override
  public void close() {
    rows.close();
  }
}
