package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A leaf: its page if that is in memory, and the version word under which the page changes.
///
/// - (L1) The version is odd while a writer changes the page or while a transaction that touches it
///   is being applied. A reader takes an even version, reads, and checks that the version is the
///   same; otherwise what it read does not count.
/// - (L2) A leaf whose version is [#OBSOLETE] was replaced by a transaction: search again from the
///   root.
/// - (L3) The page of a clean leaf may vanish at any time and be loaded again. One with its records
///   in key order may take its place. It has the same length, and the same entries at the same
///   indexes; offsets in one array mean nothing in another.
///
/// One writer at a time, which holds the space's write lock.
public final class Leaf extends Node {
  /// The version of a leaf that was replaced while readers may have waited for it.
  public static final int OBSOLETE = -1;

  private static final VarHandle PAGE;
  private static final VarHandle VERSION;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PAGE = lookup.findVarHandle(Leaf.class, "page", byte[].class);
      VERSION = lookup.findVarHandle(Leaf.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private byte @Nullable [] page;
  private int version;

  /// What the retention policy notes of uses. Written by readers, without a lock: racy by intent, a
  /// lost update costs little.
  public int use;

  /// Makes a dirty leaf of the current epoch.
  public Leaf(long epoch, byte[] page) {
    super(epoch);
    this.page = page;
  }

  /// Makes the reference to a leaf on disk.
  public Leaf(long extent, int checksum, long entryCount) {
    super(extent, checksum, entryCount);
  }

  /// The page, or null if it is not in memory.
  public byte @Nullable [] page() {
    return (byte[]) PAGE.getAcquire(this);
  }

  /// Puts the page in memory, or (clean leaves only) drops it.
  public void page(byte @Nullable [] page) {
    PAGE.setRelease(this, page);
  }

  /// Puts the page of a clean leaf in key order, unless the leaf has another page by now or none.
  ///
  /// @param ordered of the same length, with the same entries at the same indexes
  public void order(byte[] page, byte[] ordered) {
    PAGE.compareAndSet(this, page, ordered);
  }

  /// The version, odd while the page changes.
  public int version() {
    return (int) VERSION.getAcquire(this);
  }

  /// Whether the page is as it was when `seen` was read: everything read between is one state.
  public boolean validate(int seen) {
    VarHandle.loadLoadFence();
    return (int) VERSION.getOpaque(this) == seen;
  }

  /// Shuts readers out until [#endChange()].
  public void beginChange() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  /// Lets readers in again; they see the page as it is now.
  public void endChange() {
    VERSION.setRelease(this, version + 1);
  }

  /// Sends readers, also those that wait, back to the root.
  public void becomeObsolete() {
    VERSION.setRelease(this, OBSOLETE);
  }

  @Override
  public boolean isInMemory() {
    return page() != null;
  }

  @Override
  public int level() {
    return 0;
  }
}
