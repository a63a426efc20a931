package io.varve.internal.txn;

/// Says whether what a transaction read still holds.
@FunctionalInterface
interface ReadCheck {
  /// Looks at all that was read.
  ///
  /// @throws io.varve.ConflictException if any of it does not
  void check();
}
