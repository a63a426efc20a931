package io.varve.internal.txn;

/// Holds writers to what the store can bear: slows them, smoothly, when what they leave behind
/// grows faster than checkpoints take it away, and refuses them when there is no room for it.
@FunctionalInterface
public interface Throttle {
  /// Called before each commit, without locks; may wait for a bounded time.
  ///
  /// @param growthBytes the most that the commit adds to the pages that are to be written, or 0 if
  ///   it only deletes or moves
  /// @throws io.varve.StoreFullException if there is no room for that
  void beforeCommit(long growthBytes);

  /// Makes room in the log for a commit that only deletes or moves, and found none: from what is
  /// kept for such commits, or by checkpoints. Called without locks.
  ///
  /// @return whether it is worth another try
  default boolean makeLogRoom() {
    return false;
  }
}
