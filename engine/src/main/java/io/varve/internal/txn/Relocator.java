package io.varve.internal.txn;

import io.varve.CorruptStoreException;
import io.varve.internal.file.LargeValues;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.StoredValue;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Writes pages and large values again without changing any answer, so that they move in the file.
///
/// Never waits for a lock or for capacity in the log: the thread that moves also writes the
/// checkpoints that others hold locks and wait for.
public final class Relocator {
  private final Committer committer;
  private final ValueWriter values;

  /// Makes the relocator of a store.
  public Relocator(Committer committer, ValueWriter values) {
    this.committer = committer;
    this.values = values;
  }

  /// Copies the leaf of `key` and the nodes above it into the current epoch: the next checkpoint
  /// writes them to new extents. Does nothing to a space that was dropped.
  ///
  /// @return false if another thread has the lock of the space: try again later
  public boolean tryRewrite(SpaceCore space, byte[] key) {
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

  private boolean rewrite(SpaceCore space, byte[] key, NeededPages needed) {
    committer.gate().enter();
    try {
      committer.order().noteChange();
      return space.writer().rewrite(key, committer.epochs().current(), needed);
    } finally {
      committer.gate().exit();
    }
  }

  /// Puts a large value again if any of its extents is to move, unless it is changed concurrently.
  /// With an archived log its bytes go through the log, in pieces.
  ///
  /// @param freesLog frees capacity in the log for a piece, by checkpoints, given how often it has
  ///   for that piece; answers whether it is worth another try
  /// @return false if that would have to wait: write a checkpoint, and try again
  /// @throws io.varve.StoreFullException if there is no capacity for the value
  public boolean tryMoveLarge(
      SpaceCore space, byte[] key, LongPredicate isToMove, IntPredicate freesLog) {
    StoredValue stored = space.tree().stored(null, key);
    if (stored == null || !stored.large()) {
      return true;
    }
    PageFile file = space.tree().pages().file();
    boolean[] moves = new boolean[1];
    LargeValues.forEachExtent(file, stored.bytes(), extent -> moves[0] |= isToMove.test(extent));
    return !moves[0] || tryPutAgain(space, key, stored, freesLog);
  }

  /// Puts the large value of a key again, to new extents, unless the key was changed concurrently.
  ///
  /// @return false if that would have to wait for a lock, or for capacity in the log
  private boolean tryPutAgain(
      SpaceCore space, byte[] key, StoredValue stored, IntPredicate freesLog) {
    NewValue moved = copy(space, key, stored, freesLog);
    if (moved == null) {
      return true;
    }
    OneChange change =
        new OneChange(space.id(), key, moved, true, stored, space.indexes().indexing());
    return values.commit(space, change, committer::tryApplyOne) != CommitOutcome.NOT_NOW;
  }

  /// @return null if the key was changed since it was read
  private @Nullable NewValue copy(
      SpaceCore space, byte[] key, StoredValue stored, IntPredicate freesLog) {
    try {
      return values.copy(space, stored, freesLog);
    } catch (CorruptStoreException e) {
      space.tree().requireNotEnded();
      if (stored.equals(space.tree().stored(null, key))) {
        throw space.tree().pages().file().damaged(e);
      }
      return null; // the extents were reused
    }
  }
}
