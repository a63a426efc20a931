package io.varve.internal.store;

import io.varve.StoreIoException;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Extents;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageFile;
import io.varve.internal.tree.EndedTreeException;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.Relocator;
import io.varve.internal.txn.Spaces;
import java.io.IOException;

/// Gives the tail of the page file back, online: what lies above a line is written anew below it,
/// by copying pages into the current epoch unchanged and by putting large values again, if nobody
/// has changed them meanwhile. Two checkpoints later neither superblock needs the tail.
final class Compactor {
  /// Free space that is not worth the work.
  private static final long FREE_BYTES_MIN = 16L << 20;

  private final Spaces spaces;
  private final Relocator relocator;
  private final PageFile file;
  private final Checkpointer checkpointer;

  Compactor(Spaces spaces, Committer committer, PageFile file, Checkpointer checkpointer) {
    this.spaces = spaces;
    this.relocator = new Relocator(committer);
    this.file = file;
    this.checkpointer = checkpointer;
  }

  /// Compacts if more than half of the file is free: beside commits each checkpoint frees what the
  /// next one needs, so less is not worth the writes.
  void compactIfWorthwhile() {
    compactIfAbove(1.0);
  }

  /// Compacts, while nobody commits, if more than a fifth of the file is free.
  void compactIfIdle() {
    compactIfAbove(0.25);
  }

  private void compactIfAbove(double freeToLive) {
    Extents extents = file.extents();
    long free = extents.freeBytes();
    if (free > FREE_BYTES_MIN && free > extents.liveBytes() * freeToLive) {
      compact();
    }
  }

  /// Moves what lies above the size that the live data needs, and cuts the file.
  ///
  /// @return the bytes given back
  long compact() {
    long before = file.extents().endBytes();
    checkpointer.checkpoint();
    Extents extents = file.extents();
    // Held, so that what is walked over stays where it is, whatever is committed meanwhile.
    long epoch = checkpointer.checkpointAndHold();
    try {
      long line = PageFile.FIRST_UNIT + extents.liveBytes() / Extent.UNIT_BYTES * 17 / 16;
      extents.searchFromStart();
      for (LiveSpace space : spaces.all()) {
        moveSpace(space, epoch, line);
      }
    } finally {
      checkpointer.letGo(epoch);
    }
    checkpointer.checkpoint();
    checkpointer.checkpoint();
    try {
      extents.shrink(file::truncate, true);
    } catch (IOException e) {
      throw new StoreIoException("cannot cut the page file: file=" + file.where(), e);
    }
    return Math.max(0, before - extents.endBytes());
  }

  private void moveSpace(LiveSpace space, long epoch, long line) {
    Node root = space.tree().rootAt(epoch);
    if (root == null) {
      return; // made after the epoch
    }
    try {
      move(space, root, new byte[0], line);
    } catch (EndedTreeException _) {
      // Dropped meanwhile: nothing of it is left to move.
    }
  }

  private static boolean isAbove(long extent, long line) {
    return extent != 0 && Extent.unit(extent) + Extent.units(extent) > line;
  }

  /// Moves what lies above the line of a subtree.
  ///
  /// @param least the least key that may be below `node`
  private void move(LiveSpace space, Node node, byte[] least, long line) {
    switch (node) {
      case Leaf leaf -> moveLeaf(space, leaf, least, line);
      case Inner inner -> {
        Branches branches = space.tree().pages().load(inner);
        boolean moved = false;
        for (int i = 0; i < branches.count(); i++) {
          Node child = branches.child(i);
          moved |= isAbove(child.extent(), line);
          move(space, child, i == 0 ? least : branches.separator(i - 1), line);
        }
        if (!moved && isAbove(inner.extent(), line)) {
          // Copying any leaf below copies its ancestors, too.
          relocator.rewrite(space, least);
        }
      }
    }
  }

  private void moveLeaf(LiveSpace space, Leaf leaf, byte[] least, long line) {
    byte[] page = space.tree().pages().load(leaf);
    if (isAbove(leaf.extent(), line)) {
      relocator.rewrite(space, least);
    }
    if (LeafPage.hasLarge(page)) {
      for (int i = 0; i < LeafPage.count(page); i++) {
        if (LeafPage.isLarge(page, i)) {
          relocator.moveLarge(space, LeafPage.key(page, i), extent -> isAbove(extent, line));
        }
      }
    }
  }
}
