package io.varve.internal.txn;

import io.varve.Space;
import io.varve.Store;

/// What users hold of a space of this engine.
public interface SpaceHandle extends Space {
  SpaceCore core();

  /// The changes of its keys, which the caller awaits.
  PendingChanges changes();

  /// The changes of the keys of a space that a store of this engine gave.
  static PendingChanges changesOf(Space space) {
    if (space instanceof SpaceHandle handle) {
      return handle.changes();
    }
    throw new IllegalArgumentException("no store of Varve gave the space: space=" + space.name());
  }

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
