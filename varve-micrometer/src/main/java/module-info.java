/// Stores, spaces and caches of Varve as meters of Micrometer.
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer is no module
module io.varve.micrometer {
  requires transitive io.varve;
  requires transitive micrometer.core;
  requires static transitive io.varve.cache;
  requires static org.jspecify;

  exports io.varve.micrometer;
}
