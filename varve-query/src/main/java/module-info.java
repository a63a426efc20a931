/// Durable indexes and queries over the objects in tables, as typed conditions and as text:
/// [io.varve.query.Attribute].
@SuppressWarnings("requires-automatic") // ANTLR's jar names its module, and has no descriptor
module io.varve.query {
  requires transitive io.varve;
  requires transitive tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires org.antlr.antlr4.runtime;
  requires static transitive org.jspecify;

  exports io.varve.query;
}
