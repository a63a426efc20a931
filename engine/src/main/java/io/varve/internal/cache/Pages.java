package io.varve.internal.cache;

import io.varve.CorruptStoreException;
import io.varve.internal.disk.StackProbe;
import io.varve.internal.file.LargeAccounts;
import io.varve.internal.file.PageFile;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Makes, loads and retires nodes, and keeps the accounts of memory and extents right while doing
/// so. The trees' only way to pages.
public final class Pages {
  private final PageFile file;
  private final LargeAccounts largeValues;
  private final PageCache cache;
  private final int pageBytes;

  /// The epoch of the checkpoint or spill that is writing, or of the newest one: dirty leaves up to
  /// it are written by it if they were in a tree then, inner nodes by a checkpoint. Set while
  /// commits are shut out.
  private volatile long checkpointEpoch;

  /// The weight of dirty leaves that were retired while the checkpoint under way was still to write
  /// them.
  private final AtomicLong retiredUnwritten = new AtomicLong();

  /// Makes the access to the pages of one store.
  public Pages(PageFile file, PageCache cache, int pageBytes) {
    this.file = file;
    this.largeValues = new LargeAccounts(file);
    this.cache = cache;
    this.pageBytes = pageBytes;
  }

  public int pageBytes() {
    return pageBytes;
  }

  public PageCache cache() {
    return cache;
  }

  public PageFile file() {
    return file;
  }

  public LargeAccounts largeValues() {
    return largeValues;
  }

  /// Records that a checkpoint of `epoch` begins. Commits are shut out during that.
  public void beginCheckpoint(long epoch) {
    checkpointEpoch = epoch;
  }

  /// Records that the checkpoint has ended. If it broke off, what it has not reached of pages that
  /// were retired during that, no other will.
  public void endCheckpoint() {
    cache.dirty(-retiredUnwritten.getAndSet(0));
    cache.pagesTake(file.extents().liveBytes());
  }

  /// A new leaf of the current epoch.
  public Leaf newLeaf(long epoch, byte[] page) {
    Leaf leaf = new Leaf(epoch, page);
    cache.dirty(Weight.of(leaf));
    return leaf;
  }

  /// Notes that the page of a dirty leaf was replaced by one of another length.
  public void resized(Leaf leaf, int oldBytes, int newBytes) {
    assert !leaf.isClean();
    if (oldBytes != newBytes) {
      cache.dirty(newBytes - oldBytes);
    }
  }

  /// A new inner node of the current epoch.
  public Inner newInner(long epoch, int level, Branches branches) {
    return new Inner(epoch, level, branches);
  }

  /// The page of a leaf as by [#loadLive(Leaf)], for a reader. It counts as a use for the retention
  /// policy if the page was in memory: a load is none yet.
  public byte[] use(Leaf leaf) {
    return use(leaf, false);
  }

  /// The page of a leaf as by [#use(Leaf)].
  ///
  /// @param passing whether a scan comes by it, rather than somebody wanting it
  public byte[] use(Leaf leaf, boolean passing) {
    byte[] page = useIfInMemory(leaf);
    if (page == null) {
      cache.missed();
      return loadLive(leaf, passing, false);
    }
    return page;
  }

  /// The page of a leaf for a reader, or null if it is not in memory.
  public byte @Nullable [] useIfInMemory(Leaf leaf) {
    byte[] page = leaf.page();
    if (page != null) {
      cache.used(leaf);
    }
    return page;
  }

  /// The branches of an inner node that a search passes, or null if they are not in memory.
  public static @Nullable Branches useIfInMemory(Inner inner) {
    InnerQueue.used(inner);
    return inner.branches();
  }

  /// The branches of an inner node as by [#loadLive(Inner)], for a search that passes it on its
  /// way.
  public Branches use(Inner inner) {
    Branches branches = useIfInMemory(inner);
    return branches != null ? branches : loadLive(inner);
  }

  /// The page of a leaf of a tree that the caller holds, by a lock or an epoch; loaded if need be.
  ///
  /// @throws CorruptStoreException if the image does not match its reference; the store has failed
  public byte[] load(Leaf leaf) {
    try {
      return loadLive(leaf);
    } catch (ReplacedPageException e) {
      throw file.damaged(e.mismatch());
    }
  }

  /// The page of a leaf as by [#load(Leaf)], of a tree that is being removed: a page that is not in
  /// memory does not come into it. What is damaged there is missed by nobody: the store does not
  /// fail for it.
  ///
  /// @throws CorruptStoreException if the image does not match its reference
  public byte[] readRemoved(Leaf leaf) {
    byte[] page = leaf.page();
    try {
      return page == null ? readLeaf(leaf) : page;
    } catch (ReplacedPageException e) {
      throw e.mismatch();
    }
  }

  /// The branches of an inner node, as by [#readRemoved(Leaf)].
  public Branches readRemoved(Inner inner) {
    Branches branches = inner.branches();
    try {
      return branches == null ? readBranches(inner) : branches;
    } catch (ReplacedPageException e) {
      throw e.mismatch();
    }
  }

  /// The branches of an inner node of a tree that the caller holds, as by [#load(Leaf)].
  ///
  /// @throws CorruptStoreException if the image does not match its reference; the store has failed
  public Branches load(Inner inner) {
    try {
      return loadLive(inner);
    } catch (ReplacedPageException e) {
      throw file.damaged(e.mismatch());
    }
  }

  /// The page of a leaf as by [#load(Leaf)], for a verification: if it is not on the heap, the file
  /// is read, even if there is a copy outside of the heap.
  ///
  /// @throws CorruptStoreException if the image does not match its reference; the store has failed
  public byte[] loadFromFile(Leaf leaf) {
    try {
      return loadLive(leaf, false, true);
    } catch (ReplacedPageException e) {
      throw file.damaged(e.mismatch());
    }
  }

  /// The branches of an inner node, as by [#loadFromFile(Leaf)].
  public Branches loadFromFile(Inner inner) {
    try {
      return loadLive(inner, true);
    } catch (ReplacedPageException e) {
      throw file.damaged(e.mismatch());
    }
  }

  /// The page of a leaf that another thread may replace concurrently. Threads that want the same
  /// page wait for one load.
  ///
  /// @throws ReplacedPageException if the image does not match its reference: start again
  public byte[] loadLive(Leaf leaf) {
    return loadLive(leaf, false, false);
  }

  /// @param fromFile whether a copy outside of the heap will not do
  private byte[] loadLive(Leaf leaf, boolean passing, boolean fromFile) {
    byte[] page = leaf.page();
    if (page != null) {
      return page;
    }
    StackProbe.requireForLoad();
    try {
      synchronized (leaf) {
        assert file.locks().enter(LockOrder.NODE);
        try {
          page = leaf.page();
          if (page != null) {
            return page;
          }
          page = fromFile ? null : cache.offHeap(leaf);
          if (page == null) {
            page = readLeaf(leaf);
            cache.countLoad();
          }
          leaf.page(page);
        } finally {
          assert file.locks().exit(LockOrder.NODE);
        }
      }
    } catch (CorruptStoreException e) {
      throw file.damaged(e);
    }
    cache.admit(leaf, passing);
    return page;
  }

  /// The branches of an inner node that another thread may replace concurrently.
  ///
  /// @throws ReplacedPageException if the image does not match its reference: start again
  public Branches loadLive(Inner inner) {
    return loadLive(inner, false);
  }

  private Branches loadLive(Inner inner, boolean fromFile) {
    Branches branches = inner.branches();
    if (branches != null) {
      return branches;
    }
    StackProbe.requireForLoad();
    try {
      synchronized (inner) {
        assert file.locks().enter(LockOrder.NODE);
        try {
          branches = inner.branches();
          if (branches != null) {
            return branches;
          }
          branches = fromFile ? null : cache.offHeap(inner);
          if (branches == null) {
            branches = readBranches(inner);
            cache.countLoad();
          }
          inner.branches(branches);
        } finally {
          assert file.locks().exit(LockOrder.NODE);
        }
      }
    } catch (CorruptStoreException e) {
      throw file.damaged(e);
    }
    cache.admit(inner);
    return branches;
  }

  private byte[] readLeaf(Leaf leaf) {
    byte[] image = read(leaf, Kind.LEAF);
    try {
      return PageImage.toLeaf(image);
    } catch (MalformedImageException e) {
      throw file.malformed(leaf.extent(), e);
    }
  }

  private Branches readBranches(Inner inner) {
    byte[] image = read(inner, Kind.INNER);
    try {
      return PageImage.toBranches(image, inner.level());
    } catch (MalformedImageException e) {
      throw file.malformed(inner.extent(), e);
    }
  }

  private byte[] read(Node node, Kind kind) {
    try {
      return file.read(node.extent(), kind, node.checksum());
    } catch (CorruptStoreException e) {
      throw new ReplacedPageException(e, node.extent(), node.checksum());
    }
  }

  /// Notes that the tree of `epoch` does not contain the node any more.
  ///
  /// @param held whether a tree of an older epoch that is still shown may contain it
  public void retire(Node node, long epoch, boolean held) {
    synchronized (node) {
      assert file.locks().enter(LockOrder.NODE);
      try {
        node.retired(epoch);
        if (node.isClean()) {
          file.extents().retire(node.extent(), epoch);
          if (!held) {
            cache.forget(node);
          }
        } else if (node.epoch() > checkpointEpoch) {
          // No checkpoint will write it: it is gone, or an open snapshot alone still holds it.
          forgetDirty(node);
        } else {
          switch (node) {
            case Leaf leaf -> retiredUnwritten.addAndGet(Weight.of(leaf));
            case Inner inner -> cache.takeOut(inner);
          }
        }
      } finally {
        assert file.locks().exit(LockOrder.NODE);
      }
    }
  }

  private void forgetDirty(Node node) {
    if (node instanceof Leaf) {
      cache.dirty(-Weight.of(node));
    }
  }

  /// Gives a node its place on disk (N3), where a checkpoint is about to write it.
  public void placed(Node node, long extent, int checksum, long entryCount) {
    synchronized (node) {
      assert file.locks().enter(LockOrder.NODE);
      try {
        cache.written(extent);
        node.placed(extent, checksum, entryCount);
        file.extents().written(extent, node.epoch());
        if (node.retiredEpoch() != 0) {
          file.extents().retire(extent, node.retiredEpoch());
          if (node instanceof Leaf) {
            retiredUnwritten.addAndGet(-Weight.of(node));
          }
        }
      } finally {
        assert file.locks().exit(LockOrder.NODE);
      }
    }
  }

  /// Notes that the images of placed nodes were written, so that their pages may leave memory.
  ///
  /// @param dirtyLeafBytes what the leaves among them counted for while they were dirty; their
  ///   pages may be gone by now
  public void written(List<Node> nodes, long dirtyLeafBytes) {
    cache.written(nodes, dirtyLeafBytes);
  }

  /// Notes that all leaves below a dirty inner node of a closed epoch were placed.
  public void leavesArePlaced(Inner inner) {
    synchronized (inner) {
      assert file.locks().enter(LockOrder.NODE);
      try {
        if (inner.retiredEpoch() == 0) {
          cache.keep(inner);
        }
      } finally {
        assert file.locks().exit(LockOrder.NODE);
      }
    }
  }

  /// What a node that is dirty counts for.
  public static int dirtyBytes(Node node) {
    return node instanceof Leaf ? Math.toIntExact(Weight.of(node)) : 0;
  }

  /// Notes that the tree of `epoch` does not contain a large value any more.
  public void retireLarge(byte[] reference, long epoch) {
    largeValues.retired(reference, epoch);
  }

  /// Notes that a large value came into the tree of `epoch`.
  public void valueAdded(byte[] reference, long epoch) {
    largeValues.born(reference, epoch);
  }
}
