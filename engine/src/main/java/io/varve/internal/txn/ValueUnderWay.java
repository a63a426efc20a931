package io.varve.internal.txn;

/// A value whose images are in the log and whose commit is not.
interface ValueUnderWay {
  /// Notes that the commit was applied, or abandoned.
  void ended();
}
