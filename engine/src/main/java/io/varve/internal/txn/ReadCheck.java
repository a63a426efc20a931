package io.varve.internal.txn;

/// Checks whether what a transaction read is unchanged.
@FunctionalInterface
interface ReadCheck {
  /// Looks at all that was read.
  ///
  /// @throws io.varve.ConflictException if any of it has changed
  void check();
}
