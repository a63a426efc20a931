package io.varve.bench.engine;

/// A store failed; the run ends.
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Wraps a checked failure of a store.
  public EngineException(Throwable cause) {
    super(cause);
  }
}
