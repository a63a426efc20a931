/// The test kit: a simulated disk and history checkers, for Varve's tests and for its users' own.
module io.varve.test {
  requires static org.jspecify;
  requires transitive io.varve;

  exports io.varve.test;
  exports io.varve.test.simulation;
}
