package io.varve.internal.txn;

import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.StoredValue;
import java.util.function.LongPredicate;

/// Writes pages and large values again without changing any answer, so that they move in the file.
///
/// Never waits for a lock or for room in the log: the thread that moves also writes the checkpoints
/// that others hold locks and wait for.
public final class Relocator {
  private final Committer committer;

  /// Makes the relocator of a store.
  public Relocator(Committer committer) {
    this.committer = committer;
  }

  /// Copies the leaf of `key` and the nodes above it into the current epoch: the next checkpoint
  /// writes them to new places. Does nothing to a space that was dropped.
  ///
  /// @return false if another thread has the lock of the space: try again later
  public boolean tryRewrite(LiveSpace space, byte[] key) {
    NeededPages needed = new NeededPages();
    while (true) {
      if (!space.writeLock().tryLock()) {
        return false;
      }
      try {
        // The lock keeps a drop out, which frees the very pages that this would replace.
        if (space.isDropped() || rewrite(space, key, needed)) {
          return true;
        }
      } finally {
        space.writeLock().unlock();
      }
      needed.load(space.tree().pages());
    }
  }

  private boolean rewrite(LiveSpace space, byte[] key, NeededPages needed) {
    committer.gate().enter();
    try {
      committer.noteChange();
      return space.writer().rewrite(key, committer.epochs().current(), needed);
    } finally {
      committer.gate().exit();
    }
  }

  /// Puts a large value again if any of its extents is to move, unless it is changed concurrently.
  ///
  /// @return false if that would have to wait: write a checkpoint, and try again
  public boolean tryMoveLarge(LiveSpace space, byte[] key, LongPredicate isToMove) {
    StoredValue stored = space.tree().stored(null, key);
    if (stored == null || !stored.large()) {
      return true;
    }
    PageFile file = space.tree().pages().file();
    boolean[] moves = new boolean[1];
    LargeValues.forEachExtent(file, stored.bytes(), extent -> moves[0] |= isToMove.test(extent));
    return !moves[0] || space.tryPutAgain(key, stored);
  }
}
