package io.varve.bench.engine;

/// What a commit that has returned survives, in words that fit every store.
public enum Promise {
  /// Loss of power: forced to stable storage.
  DISK,
  /// Death of the process: handed to the operating system.
  OS,
  /// What the store's background or bulk mode gives.
  FAST
}
