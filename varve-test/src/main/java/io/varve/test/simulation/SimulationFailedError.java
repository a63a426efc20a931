package io.varve.test.simulation;

/// A store did what it must not, in a history that its seed and options repeat.
public final class SimulationFailedError extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final long seed;

  SimulationFailedError(long seed, SimulationOptions options, Throwable cause) {
    super("simulation failed: seed=" + seed + ", " + options + "; " + cause.getMessage(), cause);
    this.seed = seed;
  }

  /// The seed of the history.
  public long seed() {
    return seed;
  }
}
