package io.varve.bench.table;

/// A garbage collector that a JVM may run with.
public enum Collector {
  G1("-XX:+UseG1GC"),
  /// Gives objects no more than they need, of whatever size: for what counts bytes.
  PARALLEL("-XX:+UseParallelGC"),
  ZGC("-XX:+UseZGC");

  private final String flag;

  Collector(String flag) {
    this.flag = flag;
  }

  /// What makes a JVM use it.
  public String flag() {
    return flag;
  }
}
