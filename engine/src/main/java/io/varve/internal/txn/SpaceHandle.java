package io.varve.internal.txn;

import io.varve.Space;
import io.varve.Store;

/// What users hold of a space of this engine.
interface SpaceHandle extends Space {
  SpaceCore core();

  /// The core of a space that a user gave.
  ///
  /// @throws IllegalArgumentException if it belongs to another store
  @SuppressWarnings("ReferenceEquality") // each open store is itself alone
  static SpaceCore coreOf(Space space, Store store) {
    if (space instanceof SpaceHandle handle && handle.store() == store) {
      SpaceCore core = handle.core();
      core.requireUsable();
      return core;
    }
    throw new IllegalArgumentException("the space belongs to another store: space=" + space.name());
  }
}
