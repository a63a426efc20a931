package io.varve.internal.txn;

/// Holds writers to what the store can bear: slows them, smoothly, when what they leave to be
/// written grows faster than checkpoints take it away. It refuses them when there is no capacity
/// for it.
public interface Throttle {
  /// What [#tryBeforeCommit] returns when the commit would have to wait.
  long NOT_NOW = -1;

  /// Called before each attempt to commit, without locks; may wait for a bounded time.
  ///
  /// @param dirtyingBytes the most that the commit adds to the pages that are to be written
  /// @param bodyBytes the length of its record in the log
  /// @param grows whether it adds something to the store, rather than only delete or move
  /// @return what is to be given to [#afterCommit]
  /// @throws io.varve.StoreFullException if there is no capacity for that
  long beforeCommit(long dirtyingBytes, long bodyBytes, boolean grows);

  /// Called in place of [#beforeCommit] by threads that must not wait, for a small commit.
  ///
  /// @return what is to be given to [#afterCommit], or [#NOT_NOW]
  long tryBeforeCommit(long dirtyingBytes, boolean grows);

  /// Called after each attempt, when it was applied or abandoned.
  ///
  /// @param admittedBytes what [#beforeCommit] returned
  default void afterCommit(long admittedBytes) {}

  /// Called before an image of a large value is written, without locks; may wait as [#beforeCommit]
  /// does.
  ///
  /// @return what is to be given to [#afterCommit] when it was written, or was not
  /// @throws io.varve.StoreFullException if there is no capacity for it
  default long beforeImage(long bytes) {
    return 0;
  }

  /// Frees capacity for an image of a large value that met a full disk. Called without locks.
  ///
  /// @param attempts how often it has for this image
  /// @return whether it is worth another try
  default boolean freeForImage(long bytes, int attempts) {
    return false;
  }

  /// Frees capacity in the log for a commit that found none: by checkpoints, and for one that only
  /// deletes or moves from what is kept for such. Called without locks.
  ///
  /// @return whether it is worth another try
  default boolean freeLogCapacity(boolean grows) {
    return false;
  }
}
