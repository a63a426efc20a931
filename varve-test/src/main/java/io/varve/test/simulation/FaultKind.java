package io.varve.test.simulation;

/// What a simulation may cause to go wrong.
public enum FaultKind {
  /// Nothing: stores are opened, used and closed.
  NONE(false),
  /// The power is cut, between two calls or during one.
  POWER(false),
  /// The process dies.
  KILL(false),
  /// A call fails with an input/output error, once or from then on; a write may be torn.
  IO(false),
  /// The disk is full for a time.
  FULL(false),
  /// A read gives less than there is, or a write fails after some of its bytes.
  SHORT(true),
  /// A bit is inverted: of what is read, of what is written, or of a file at rest.
  FLIP(true),
  /// A read or write happens at another offset.
  MISDIRECT(true),
  /// A write or force is reported as done, and is not.
  DROP(true),
  /// Some calls take very long.
  DELAY(false);

  private final boolean silent;

  FaultKind(boolean silent) {
    this.silent = silent;
  }

  /// Whether the disk pretends: then what it was given may be gone, and a store is right when it
  /// reports it, or is unharmed; it must never answer wrongly.
  public boolean isSilent() {
    return silent;
  }
}
