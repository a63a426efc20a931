package io.varve.test;

import io.varve.Durability;

/// Receives what a store answers to a commit. Without a call, the outcome is open: the commit may
/// have failed, or the crash may have come first.
public interface CommitOutcome {
  /// The commit is visible: commits that begin from now on come later in the commit order. Implied
  /// by an acknowledgement.
  void applied();

  /// The store has acknowledged the commit.
  ///
  /// @param lsn the LSN that it gave
  /// @param durability the promise in effect when it did
  void acknowledged(long lsn, Durability durability);

  /// The store has acknowledged the commit by a call that gives no LSN.
  ///
  /// @param durability the promise in effect when it did
  void acknowledged(Durability durability);

  /// The store has refused the commit, which had no effect and will have none.
  void refused();
}
