package io.varve;

/// How long Lincheck looks: `-Dvarve.lincheck.factor=n` has it make so many times as many
/// scenarios.
final class LincheckEffort {
  private static final int FACTOR = Integer.getInteger("varve.lincheck.factor", 1);

  private LincheckEffort() {}

  static int iterations(int count) {
    if (FACTOR < 1) {
      throw new IllegalArgumentException("varve.lincheck.factor out of range: " + FACTOR);
    }
    return count * FACTOR;
  }
}
