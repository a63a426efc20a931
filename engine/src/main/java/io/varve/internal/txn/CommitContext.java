package io.varve.internal.txn;

import io.varve.internal.tree.Epochs;

/// What commits share with those that read what was committed: snapshots, checkpoints and the
/// removal of dropped spaces. Made before any of them, so that none has to be completed later.
///
/// @param epochs the current epoch and those that are held
/// @param gate lets commits in, or shuts them out
/// @param order how far the commits have come
/// @param log where they get their place in the commit order
/// @param lifecycle whether the store is open
public record CommitContext(
    Epochs epochs, CommitGate gate, CommitOrder order, CommitLog log, Lifecycle lifecycle) {
  /// The context of a store that is not open to others yet.
  public static CommitContext of(Epochs epochs, CommitGate gate, CommitLog log) {
    return new CommitContext(epochs, gate, new CommitOrder(), log, new Lifecycle());
  }
}
