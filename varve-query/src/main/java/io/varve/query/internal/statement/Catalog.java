package io.varve.query.internal.statement;

import io.varve.query.Entity;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// The tables that queries may name.
public interface Catalog {
  /// The table that a query calls by a name, or null if there is none.
  @Nullable String table(String name);

  /// What the values of a table are, or null if there is no table of that name.
  @Nullable Entity<?> find(String table);

  /// The names of all tables.
  Collection<String> names();
}
