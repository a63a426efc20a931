/// Durable indexes and queries over the objects in tables: [io.varve.query.Queries] asks by text,
/// and [io.varve.query.Attribute] makes typed conditions.
module io.varve.query {
  requires transitive io.varve;
  requires transitive tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires org.antlr.antlr4.runtime;
  requires static org.jspecify;

  exports io.varve.query;
}
