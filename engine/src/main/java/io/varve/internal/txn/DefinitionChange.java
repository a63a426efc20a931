package io.varve.internal.txn;

import io.varve.internal.wal.RecordSink;

/// A change of the set of spaces.
interface DefinitionChange {
  long bodyBytes();

  /// Whether it changes nothing, and only has a position among the commits.
  default boolean isNote() {
    return false;
  }

  void apply(long epoch);

  void write(RecordSink sink);
}
