package io.varve.test;

import io.varve.Durability;

/// What happened to a store before it was opened again.
public enum Crash {
  /// It was closed.
  CLEAN_CLOSE,

  /// Its process died; the machine continued.
  PROCESS,

  /// The machine lost power.
  POWER;

  /// Whether a commit that was acknowledged with `durability` must be found afterwards.
  public boolean keeps(Durability durability) {
    return switch (this) {
      case CLEAN_CLOSE -> durability != Durability.NONE;
      case PROCESS -> durability == Durability.PROCESS_CRASH || durability == Durability.POWER_LOSS;
      case POWER -> durability == Durability.POWER_LOSS;
    };
  }
}
