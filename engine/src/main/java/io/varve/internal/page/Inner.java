package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An inner node: its branches if they are in memory.
///
/// A dirty node's branches are replaced as a whole by one store when a child splits or merges. A
/// child slot is replaced by one store when the child is copied; when all its leaves are written,
/// the cache replaces them by their compact form. Readers inside the old branches finish there. A
/// clean node's branches may vanish at any time and be loaded again.
public final class Inner extends Node {
  /// No tree is higher: each level has at least twice the nodes of the one above.
  public static final int LEVEL_MAX = 20;

  private static final VarHandle BRANCHES;

  static {
    try {
      BRANCHES = MethodHandles.lookup().findVarHandle(Inner.class, "branches", Branches.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int level;
  private @Nullable Branches branches;

  /// How often searches passed lately; racy by intent, a lost update costs little.
  public byte uses;

  /// Whether every leaf below is clean although this node is not. Guarded by the thread that writes
  /// pages, one thread at a time.
  public boolean leavesAreClean;

  /// Whether the cache counts this node among those that cannot leave since they are dirty. Guarded
  /// by the lock of the cache.
  public boolean staysDirty;

  /// Makes a dirty inner node of the current epoch.
  public Inner(long epoch, int level, Branches branches) {
    super(epoch);
    this.level = level;
    this.branches = branches;
  }

  /// Makes the reference to an inner node on disk.
  public Inner(long extent, int checksum, long entryCount, int level) {
    super(extent, checksum, entryCount);
    this.level = level;
  }

  /// The branches, or null if they are not in memory.
  public @Nullable Branches branches() {
    return (Branches) BRANCHES.getAcquire(this);
  }

  /// Publishes new branches, or (clean nodes only) drops them.
  public void branches(@Nullable Branches branches) {
    BRANCHES.setRelease(this, branches);
  }

  /// Makes the branches take less memory, if they are there and all children are clean. Of a node
  /// that no writer changes any more, under the lock of the cache, which alone drops branches.
  public void compact() {
    Branches present = branches();
    if (present != null && !present.isCompact() && present.areChildrenClean()) {
      branches(present.compacted(level));
    }
  }

  @Override
  public boolean isInMemory() {
    return branches() != null;
  }

  @Override
  public int level() {
    return level;
  }
}
