package io.varve.internal.txn;

import io.varve.internal.page.LargeValues;
import io.varve.internal.page.PageFile;
import io.varve.internal.tree.NeededPages;
import io.varve.internal.tree.StoredValue;
import java.util.function.LongPredicate;

/// Writes pages and large values anew without changing any answer, so that they move in the file.
/// Does nothing to a space that was dropped: what it held was given up with it.
public final class Relocator {
  private final Committer committer;

  /// Makes the relocator of a store.
  public Relocator(Committer committer) {
    this.committer = committer;
  }

  /// Copies the leaf of `key` and the nodes above it into the current epoch: the next checkpoint
  /// writes them to new places.
  public void rewrite(LiveSpace space, byte[] key) {
    NeededPages needed = new NeededPages();
    while (!tryRewrite(space, key, needed)) {
      needed.load(space.tree().pages());
    }
  }

  private boolean tryRewrite(LiveSpace space, byte[] key, NeededPages needed) {
    space.lock().lock();
    try {
      if (!space.isLive()) {
        return true;
      }
      committer.gate().enter();
      try {
        committer.noteChange();
        return space.writer().rewrite(key, committer.epochs().current(), needed);
      } finally {
        committer.gate().exit();
      }
    } finally {
      space.lock().unlock();
    }
  }

  /// Puts a large value again if any of its extents is to move, unless it is changed meanwhile.
  public void moveLarge(LiveSpace space, byte[] key, LongPredicate isToMove) {
    try {
      StoredValue stored = space.tree().stored(null, key);
      if (stored != null && stored.large() && isAnyToMove(space, stored, isToMove)) {
        space.putAgain(key, stored);
      }
    } catch (IllegalStateException e) {
      if (space.isLive()) {
        throw e;
      }
    }
  }

  private static boolean isAnyToMove(LiveSpace space, StoredValue stored, LongPredicate isToMove) {
    PageFile file = space.tree().pages().file();
    boolean[] moves = new boolean[1];
    LargeValues.forEachExtent(file, stored.bytes(), extent -> moves[0] |= isToMove.test(extent));
    return moves[0];
  }
}
