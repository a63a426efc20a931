package io.varve.test.simulation;

import io.varve.Store;
import io.varve.admin.RestoreTo;
import io.varve.test.FaultPlan;

/// A defect that is between a history and the store it judges, unknown to its [Faults]. There is
/// none but in tests of the simulation itself, which must see it.
interface Planted {
  /// Nothing is between.
  Planted NOTHING = new Planted() {};

  /// What goes wrong on a disk, instead of what the history has chosen.
  default FaultPlan disk(FaultPlan chosen) {
    return chosen;
  }

  /// The state that a restore brings back, instead of the one that the history has asked for.
  default RestoreTo state(RestoreTo asked) {
    return asked;
  }

  /// The store that the history sees, instead of the one that was opened.
  default Store store(Store opened) {
    return opened;
  }
}
