package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.Extents;
import io.varve.internal.file.PageFile;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import io.varve.internal.txn.Relocator;
import io.varve.internal.txn.SpaceCore;
import io.varve.internal.txn.SpaceRegistry;
import java.util.function.BooleanSupplier;

/// Gives the tail of the page file back, online: what is above a line is written again below it.
/// Pages are copied unchanged into the current epoch, and large values are put again unless
/// somebody has changed them concurrently. Two checkpoints later neither superblock needs the tail.
///
/// It gives way to all else: it writes a checkpoint whenever one is wanted, so that what it moves
/// fills neither memory nor the log. It waits for no lock, and leaves what it cannot move or has no
/// capacity for. It stops when the store is to be closed.
public final class Compactor {
  /// Free space that is not worth the work.
  private static final long FREE_BYTES_MIN = 16L << 20;

  /// Free to live bytes concurrently with commits. Where each checkpoint writes every page again,
  /// as much is free as is live: that is what the next one needs, and to move it about would be
  /// useless.
  private static final double AMONG_COMMITS = 1.125;

  /// Free to live bytes when nobody commits.
  private static final double WHILE_IDLE = 0.25;

  /// Checkpoints that free what was deleted before the first of them.
  private static final int FREEING_CHECKPOINTS_MAX = 2;

  /// What commits may replace during a compaction, to live bytes, if the file has to grow for it.
  /// What is moved comes to the live bytes at most.
  private static final double COMMITS_SHARE_MAX = 0.25;

  /// How often what is above the line is moved: what commits and checkpoints put there concurrently
  /// may hold the tail of the file, and more is free in whole pieces the next time.
  private static final int PASSES_MAX = 3;

  /// How often a page or value is tried whose move would have to wait.
  private static final int TRIES = 6;

  /// How often capacity in the log is freed for a piece of a value that moves.
  private static final int LOG_TRIES = 2 * TRIES;

  /// How many values a pass leaves where they are, each after all its tries. What they wait for
  /// does not come where log is wanted, and all that the disk has is archived.
  private static final int LEFT_MAX = 64;

  private static final long RETRY_NANOS = 1_000_000;

  /// How long no compaction starts by itself after one that stopped: commits were too many.
  private static final long REST_NANOS = 10_000_000_000L;

  private final SpaceRegistry spaces;
  private final Relocator relocator;
  private final PageFile file;
  private final Checkpointer checkpointer;
  private final Clock clock;

  private volatile long restUntilNanos;

  /// What a compaction has to give way to.
  interface Duties {
    /// Writes a checkpoint if somebody waits for one.
    void checkpointIfWanted();

    /// Whether the store is about to close.
    boolean isStopping();
  }

  public Compactor(
      SpaceRegistry spaces,
      Relocator relocator,
      PageFile file,
      Checkpointer checkpointer,
      Clock clock) {
    this.spaces = spaces;
    this.relocator = relocator;
    this.file = file;
    this.checkpointer = checkpointer;
    this.clock = clock;
    this.restUntilNanos = clock.nanoTime();
  }

  /// Removes the next part of a space that was dropped.
  ///
  /// @return false if there is none
  boolean removeDropped() {
    return spaces.dropped().removeNext();
  }

  /// Whether there is a space that was dropped and is not removed yet.
  boolean hasDropped() {
    return !spaces.dropped().isEmpty();
  }

  /// Compacts if more is free than live pages take: with commits each checkpoint frees what the
  /// next one needs, so less is not worth the writes.
  void compactIfWorthwhile(Duties duties) {
    compactIfAbove(AMONG_COMMITS, duties);
  }

  /// Compacts, while nobody commits, if more than a fifth of the file is free. What was deleted
  /// last counts: the second checkpoint after a delete frees it, and without commits that would not
  /// come.
  void compactIfIdle(Duties duties) {
    for (int i = 0; i < FREEING_CHECKPOINTS_MAX && isEnoughRetired(); i++) {
      checkpointer.checkpoint();
    }
    compactIfAbove(WHILE_IDLE, duties);
  }

  /// Whether a compaction becomes worthwhile once free what waits for that.
  private boolean isEnoughRetired() {
    Extents extents = file.extents();
    long free = extents.freeBytes();
    return !isWorthwhile(free, WHILE_IDLE)
        && isWorthwhile(free + extents.retiredBytes(), WHILE_IDLE);
  }

  private boolean isWorthwhile(long freeBytes, double freeToLive) {
    return freeBytes > FREE_BYTES_MIN && freeBytes > file.extents().liveBytes() * freeToLive;
  }

  private void compactIfAbove(double freeToLive, Duties duties) {
    if (clock.nanoTime() - restUntilNanos < 0) {
      return;
    }
    if (isWorthwhile(file.extents().freeBytes(), freeToLive)) {
      compact(duties);
    }
  }

  /// Moves what is above the size that the live data needs, and cuts the file. Two may run
  /// concurrently, the scheduler's own and a user's.
  ///
  /// @return the bytes returned
  long compact(Duties duties) {
    while (!duties.isStopping() && removeDropped()) {
      duties.checkpointIfWanted();
    }
    long before = file.extents().endBytes();
    long after = before;
    checkpointer.checkpoint();
    for (int count = 1; count <= PASSES_MAX; count++) {
      // Held, so that what is walked over stays where it is, whatever is committed concurrently.
      long epoch = checkpointer.checkpointAndHold();
      Pass pass;
      try {
        pass = new Pass(before, duties);
        pass.run(epoch);
      } finally {
        checkpointer.release(epoch);
      }
      if (duties.isStopping()) {
        return 0;
      }
      checkpointer.checkpoint();
      checkpointer.checkpoint();
      after = checkpointer.shrink();
      if (pass.abandoned) {
        restUntilNanos = clock.nanoTime() + REST_NANOS;
        break;
      }
      if (after <= pass.live * (1 + WHILE_IDLE)) {
        break;
      }
    }
    return Math.max(0, before - after);
  }

  /// Moves what is above the line once. For one thread.
  private final class Pass {
    private final Duties duties;

    /// Live bytes when it began.
    final long live;

    /// The unit above which pages move.
    private final long line;

    /// What may be taken during a pass: concurrent commits may replace more than is moved, of which
    /// nothing becomes free before the pass ends.
    private final long bytesMax;

    /// Whether commits replaced so much during it that it would have made the file grow, or too
    /// many values could not be moved.
    boolean abandoned;

    private int left; // values that could not be moved

    /// @param before the length of the file before the first pass, in bytes
    Pass(long before, Duties duties) {
      this.duties = duties;
      Extents extents = file.extents();
      live = extents.liveBytes();
      line = PageFile.FIRST_UNIT + live / Extent.UNIT_BYTES * 17 / 16;
      long replaced = (long) (live * COMMITS_SHARE_MAX);
      bytesMax = Math.max(before, extents.takenBytes() + live + replaced);
    }

    /// @param epoch what is walked over, held
    void run(long epoch) {
      file.extents().searchFromStart();
      for (SpaceCore space : spaces.all()) {
        new Move(this, space).run(epoch);
      }
    }

    boolean isOver() {
      abandoned |= left >= LEFT_MAX || file.extents().takenBytes() > bytesMax;
      return abandoned || duties.isStopping();
    }
  }

  /// The move of one space.
  private final class Move {
    private final Pass pass;
    private final SpaceCore space;

    Move(Pass pass, SpaceCore space) {
      this.pass = pass;
      this.space = space;
    }

    void run(long epoch) {
      try {
        Node root = space.tree().rootAt(epoch);
        if (root != null) {
          move(root, new byte[0]);
        }
      } catch (RuntimeException e) {
        if (!space.isDropped()) {
          throw e;
        }
        // What a drop frees need not move.
      }
    }

    /// A space that a transaction has reserved is left to the next pass: to try its pages one by
    /// one would write checkpoints for as long as the transaction runs, without effect.
    private boolean isOver() {
      return pass.isOver() || space.isDropped() || space.isReservedByAnother();
    }

    private boolean isAbove(long extent) {
      return extent != 0 && Extent.unit(extent) + Extent.units(extent) > pass.line;
    }

    /// Moves what is above the line of a subtree.
    ///
    /// @param least the least key that may be below `node`
    private void move(Node node, byte[] least) {
      switch (node) {
        case Leaf leaf -> moveLeaf(leaf, least);
        case Inner inner -> {
          Branches branches = space.tree().pages().load(inner);
          boolean moved = false;
          for (int i = 0; i < branches.count() && !isOver(); i++) {
            Node child = branches.child(i);
            moved |= isAbove(child.extent());
            move(child, i == 0 ? least : branches.separator(i - 1));
          }
          if (!moved && isAbove(inner.extent())) {
            // Copying any leaf below copies its ancestors, too.
            attempt(() -> relocator.tryRewrite(space, least));
          }
        }
      }
    }

    private void moveLeaf(Leaf leaf, byte[] least) {
      byte[] page = space.tree().pages().load(leaf);
      if (isAbove(leaf.extent())) {
        attempt(() -> relocator.tryRewrite(space, least));
      }
      if (LeafPage.hasLarge(page)) {
        for (int i = 0; i < LeafPage.count(page) && !isOver(); i++) {
          if (LeafPage.isLarge(page, i)) {
            byte[] key = LeafPage.key(page, i);
            if (!attempt(() -> movesOrStays(key)) && !isOver()) {
              pass.left++;
            }
          }
        }
      }
    }

    /// Moves a large value, or leaves it where it is if there is no capacity for it: what moves
    /// after it may free that capacity for the next pass, and the rest of the file need not wait
    /// for it.
    ///
    /// @return false if the move would have to wait
    private boolean movesOrStays(byte[] key) {
      try {
        return relocator.tryMoveLarge(space, key, this::isAbove, this::freesLog);
      } catch (StoreFullException e) {
        return true;
      }
    }

    /// Frees capacity in the log for a piece of a value: no other thread would write the
    /// checkpoints. Every second time it leaves that to the threads of the log, which may be about
    /// to write what their memory holds.
    ///
    /// @param tries how often it has for that piece
    /// @return whether it is worth another try
    private boolean freesLog(int tries) {
      if (isOver()) {
        return false;
      }
      if (tries == LOG_TRIES) {
        pass.left++;
        return false;
      }
      pass.duties.checkpointIfWanted();
      if (tries % 2 != 0) {
        checkpointer.checkpoint();
      }
      clock.delay(this, RETRY_NANOS);
      return true;
    }

    /// Tries a move until it need not wait, some times. In between it does what it may wait for:
    /// two checkpoints free capacity in the log.
    ///
    /// @return whether it was done
    private boolean attempt(BooleanSupplier work) {
      pass.duties.checkpointIfWanted();
      for (int tries = 1; !isOver(); tries++) {
        if (work.getAsBoolean()) {
          return true;
        }
        if (tries == TRIES) {
          return false;
        }
        checkpointer.checkpoint();
        clock.delay(this, RETRY_NANOS);
      }
      return false;
    }
  }
}
