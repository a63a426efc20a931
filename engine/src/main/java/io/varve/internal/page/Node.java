package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A page and the reference to it, in one object: a parent's child slot holds the node. The node
/// holds the page if it is in memory and the extent on disk if it was written.
///
/// - (N1) A node with an extent is *clean*: its content never changes again. A writer that wants to
///   change it makes a copy in the current epoch and puts that in its place.
/// - (N2) A node without an extent is *dirty*: it exists in memory alone, and so does every
///   ancestor that leads to it. Only a node of the current epoch is changed in place.
/// - (N3) The extent is set once, by the checkpoint, under the node's monitor, as is the mark that
///   the node was replaced. Whichever comes second hands the extent to be freed.
public abstract sealed class Node permits Leaf, Inner {
  /// What [#entryCount()] is until the entries are known.
  public static final long UNCOUNTED = -1;

  private static final VarHandle EXTENT;
  private static final VarHandle ENTRY_COUNT;

  static {
    try {
      EXTENT = MethodHandles.lookup().findVarHandle(Node.class, "extent", long.class);
      ENTRY_COUNT = MethodHandles.lookup().findVarHandle(Node.class, "entryCount", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// The epoch in which this node was made; 0 if it was read from disk.
  private final long epoch;

  /// Where the image is ([Extent]), or 0. Written under this monitor (release), read by anyone
  /// (acquire).
  private long extent;

  private int checksum;

  /// The entries below this node, or [#UNCOUNTED]. Set (opaque) when no writer changes the node any
  /// more, by the thread that counts them and by the thread that writes it. All come to the same
  /// number.
  private long entryCount;

  /// The epoch in which this node was replaced in the current tree, or 0. Guarded by this monitor.
  private long retiredEpoch;

  /// What the cache finds this node by, or null if it does not hold it. Guarded by the lock of the
  /// cache.
  public @Nullable Object place;

  Node(long epoch) {
    this.epoch = epoch;
    this.entryCount = UNCOUNTED;
  }

  Node(long extent, int checksum, long entryCount) {
    this.epoch = 0;
    this.extent = extent;
    this.checksum = checksum;
    this.entryCount = entryCount;
  }

  /// Makes the reference to a page on disk.
  public static Node reference(int level, long extent, int checksum, long entryCount) {
    return level == 0
        ? new Leaf(extent, checksum, entryCount)
        : new Inner(extent, checksum, entryCount, level);
  }

  public final long epoch() {
    return epoch;
  }

  /// The extent of the image, or 0 if the node is dirty.
  public final long extent() {
    return (long) EXTENT.getAcquire(this);
  }

  public final boolean isClean() {
    return extent() != 0;
  }

  /// The checksum of the image; meaningful once the node is clean.
  public final int checksum() {
    return checksum;
  }

  /// The entries at and below this node if it is clean or was counted, and else [#UNCOUNTED].
  public final long entryCount() {
    return (long) ENTRY_COUNT.getOpaque(this);
  }

  /// Notes the entries at and below a node that no writer changes any more.
  public final void counted(long entries) {
    assert entryCount() == UNCOUNTED || entryCount() == entries : "counted otherwise before";
    ENTRY_COUNT.setOpaque(this, entries);
  }

  public final void placed(long extent, int checksum, long entryCount) {
    assert Thread.holdsLock(this);
    this.checksum = checksum;
    counted(entryCount);
    EXTENT.setRelease(this, extent);
  }

  public final long retiredEpoch() {
    assert Thread.holdsLock(this);
    return retiredEpoch;
  }

  public final void retired(long epoch) {
    assert Thread.holdsLock(this);
    retiredEpoch = epoch;
  }

  /// Whether the page of this node is in memory.
  public abstract boolean isInMemory();

  /// 0 for a leaf, one more than its children for an inner node.
  public abstract int level();
}
