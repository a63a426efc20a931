/// A codec that writes the values of tables as JSON: [io.varve.json.JsonCodec].
module io.varve.json {
  requires transitive io.varve;
  requires transitive tools.jackson.core;
  requires transitive tools.jackson.databind;
  requires static org.jspecify;

  exports io.varve.json;
}
