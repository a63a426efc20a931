/// Durable indexes and queries over the objects in tables, as typed conditions and as text:
/// [io.varve.query.Attribute].
// The jars of ANTLR and JCache name their modules, and have no descriptors.
@SuppressWarnings("requires-automatic")
module io.varve.query {
  requires transitive io.varve;
  requires transitive tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires org.antlr.antlr4.runtime;
  requires static cache.api;
  requires static org.jspecify;

  exports io.varve.query;
  exports io.varve.query.pattern;
}
