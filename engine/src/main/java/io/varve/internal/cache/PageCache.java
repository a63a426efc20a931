package io.varve.internal.cache;

import io.varve.PageRetention;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.event.Events;
import io.varve.internal.event.EvictionEvent;
import io.varve.internal.lock.BriefLock;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.Node;
import io.varve.spi.RetentionPolicy;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The pages that are in memory and no longer change, within a budget in bytes that dirty leaves
/// share. Those are clean, except inner pages whose leaves alone were written.
///
/// A [LeafRetention] decides which leaves leave first. Inner pages are favoured: one inner page
/// leads to a hundred leaves and more. Most leaves that leave do so before any inner page is looked
/// at ([InnerQueue]), until inner pages take most of the budget.
///
/// What leaves the heap may go to memory outside of it, from which a load brings it back
/// ([OffHeapTier]).
///
/// A hit takes no lock and writes at most one field of the node. All else is under one lock, which
/// misses alone take.
public final class PageCache implements AutoCloseable {
  /// The least that a share of the store's pages comes to.
  private static final long SHARED_BYTES_MIN = 1 << 20;

  /// So many leaves leave for one look at an inner page: a search uses one inner page of each level
  /// for each leaf. So an inner page that is searched at all is passed often between two looks.
  private static final int LEAVES_FOR_A_LOOK = 8;

  /// From this share of the budget on, in eighths, inner pages leave as well as leaves.
  private static final int CROWDED_EIGHTHS = 6;

  /// Looks at inner pages for one newcomer when they are too many.
  private static final int CROWDED_LOOKS = 4;

  private final BriefLock lock;
  private final LeafRetention leaves;
  private final InnerQueue inners = new InnerQueue();
  private final long bytesMost;
  private final double share;

  /// Where pages go that leave the heap; null if nowhere.
  private final @Nullable OffHeapTier offHeap;

  /// The budget. Guarded by the lock.
  private long budgetBytes;

  /// What pages may take of the budget. Written under the lock.
  private volatile long bytesMax;

  /// What of the budget serves something else for a while. Guarded by the lock.
  private long withheldBytes;

  private volatile long cleanBytes;
  private volatile long dirtyBytes;
  private volatile long dirtyInnerBytes;
  private final UseCounter hits = new UseCounter();
  private final LongAdder misses = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private long evictions;
  private int leavesSinceLook;

  /// The last of the pages that left while this lock is held, which represents all of them; null if
  /// nobody records it. Guarded by the lock.
  private @Nullable EvictionEvent evicted;

  /// What stores the pages that left while this lock is held in memory outside of the heap: that
  /// copies them, so it is done after the lock was released. The first and the last, linked, so
  /// that nothing is allocated where they are taken. Guarded by the lock.
  private @Nullable Departure firstLeaving;

  private @Nullable Departure lastLeaving;

  /// A page that left the heap, and the one that left after it.
  private static final class Departure {
    final Runnable store;
    @Nullable Departure next;

    Departure(Runnable store) {
      this.store = store;
    }
  }

  /// Makes an empty cache. Throws what the supplier of a program's own policy throws.
  ///
  /// @param locks of the store
  /// @param retention which leaves stay
  /// @param bytesMost the budget for clean and dirty pages together, at most
  /// @param share of the bytes that pages take on disk, up to which the budget goes; 1 if that is
  ///   no bound
  public PageCache(StoreLocks locks, PageRetention retention, long bytesMost, double share) {
    this(locks, retention, bytesMost, share, 0);
  }

  /// Makes an empty cache that stores what leaves the heap outside of it.
  ///
  /// @param offHeapBytes how much memory that may take, 0 if none
  /// @throws IllegalArgumentException if the machine has less memory than that
  public PageCache(
      StoreLocks locks, PageRetention retention, long bytesMost, double share, long offHeapBytes) {
    this.offHeap = OffHeapTier.of(locks, offHeapBytes);
    this.lock = new BriefLock(locks, LockOrder.CACHE);
    this.leaves = leavesOf(retention);
    this.bytesMost = bytesMost;
    this.share = share;
    this.budgetBytes = share < 1 ? Math.min(bytesMost, SHARED_BYTES_MIN) : bytesMost;
    this.bytesMax = budgetBytes;
  }

  private static LeafRetention leavesOf(PageRetention retention) {
    RetentionPolicy provided = retention.newPolicy().orElse(null);
    if (provided != null) {
      return new ProvidedRetention(retention.name(), provided, StoreThreads.PLATFORM);
    } else if (retention == PageRetention.NONE) {
      return new PassThroughRetention();
    } else if (retention == PageRetention.HASHED) {
      return new HashedRetention();
    } else if (retention == PageRetention.LRU) {
      return new LruRetention();
    }
    return new S3FifoRetention();
  }

  /// Records how many bytes the pages of the store take on disk now.
  void pagesTake(long bytes) {
    if (share >= 1) {
      return;
    }
    lock.lock();
    try {
      budgetBytes = Math.min(bytesMost, Math.max(SHARED_BYTES_MIN, (long) (share * bytes)));
      withhold();
    } finally {
      unlock();
    }
  }

  /// Lets a part of the budget serve something else until [#endWithholding]. Several parts may.
  public void withhold(long bytes) {
    lock.lock();
    try {
      withheldBytes += bytes;
      withhold();
    } finally {
      unlock();
    }
  }

  /// Ends what [#withhold] began for as many bytes.
  public void endWithholding(long bytes) {
    withhold(-bytes);
  }

  /// Half of the budget stays for pages in any case: it may have shrunk since a part of it was
  /// withheld. Under the lock.
  private void withhold() {
    bytesMax = budgetBytes - Math.min(withheldBytes, budgetBytes / 2);
    evict();
  }

  /// Counts a page that became dirty (positive) or ceased to be (negative).
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  void dirty(long bytes) {
    lock.lock();
    try {
      dirtyBytes += bytes;
      if (bytes > 0) {
        evict();
      }
    } finally {
      unlock();
    }
  }

  /// Notes that a reader uses a leaf whose page it found in memory.
  void used(Leaf leaf) {
    hits.increment();
    leaves.used(leaf);
  }

  /// Takes in a clean node whose page was just loaded.
  void admit(Node node) {
    admit(node, false);
  }

  /// Takes in a clean node whose page was just loaded.
  ///
  /// @param passing whether a scan came by it, which predicts no later use
  void admit(Node node, boolean passing) {
    lock.lock();
    try {
      try {
        admitLocked(node, passing);
      } catch (OutOfMemoryError e) {
        if (node.place != null || !node.isClean()) {
          throw e;
        }
        clear(node); // nobody would count its page; the reader has what it loaded
      }
      evict();
    } finally {
      unlock();
    }
  }

  private void admitLocked(Node node, boolean passing) {
    if (!node.isInMemory()) {
      return;
    }
    switch (node) {
      case Inner inner -> {
        if (inner.place == null) {
          inners.add(inner);
        } else {
          inners.written(inner);
        }
      }
      case Leaf leaf -> {
        if (leaf.place == null) {
          Leaf displaced = leaves.add(leaf, bytesMax, passing);
          if (displaced != null) {
            drop(displaced);
          }
        }
      }
    }
  }

  /// Takes in nodes whose pages were just written.
  ///
  /// @param dirtyLeafBytes what their leaves counted for while they were dirty
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  void written(List<Node> nodes, long dirtyLeafBytes) {
    lock.lock();
    try {
      dirtyBytes -= dirtyLeafBytes;
      nodes.forEach(node -> admitLocked(node, false));
      evict();
    } finally {
      unlock();
    }
  }

  /// Takes in a dirty inner node of a closed epoch, all of whose leaves are clean. It stays until
  /// it is written or retired.
  void keep(Inner inner) {
    admit(inner);
  }

  /// Takes out a dirty inner node that was retired: snapshots alone may hold it.
  void takeOut(Inner inner) {
    lock.lock();
    try {
      if (inner.place != null) {
        inners.remove(inner);
        count();
      }
    } finally {
      unlock();
    }
  }

  /// Drops the page of a clean node that no tree contains any more. A reader that came to it before
  /// loads it again.
  void forget(Node node) {
    lock.lock();
    try {
      if (node.place != null) {
        switch (node) {
          case Leaf leaf -> leaves.remove(leaf);
          case Inner inner -> inners.remove(inner);
        }
      }
      clear(node);
      count();
    } finally {
      unlock();
    }
    written(node.extent());
  }

  /// Notes that something else is written to an extent, or may be later: what had it is gone.
  void written(long extent) {
    if (offHeap != null) {
      offHeap.remove(extent);
    }
  }

  /// The page of a clean leaf, if it is outside of the heap.
  byte @Nullable [] offHeap(Leaf leaf) {
    return offHeap == null ? null : offHeap.get(leaf);
  }

  /// The branches of a clean inner node, if they are outside of the heap.
  @Nullable Branches offHeap(Inner inner) {
    return offHeap == null ? null : offHeap.get(inner);
  }

  /// Notes that a reader did not find the leaf that it wants in memory.
  void missed() {
    misses.increment();
  }

  void countLoad() {
    loads.increment();
  }

  /// Releases the lock, and then stores and records what left: that may take long. Allocates
  /// nothing before the lock is released: memory may be what is lacking.
  private void unlock() {
    assert lock.isHeldByCurrentThread();
    EvictionEvent event = evicted;
    evicted = null;
    Departure left = firstLeaving;
    firstLeaving = null;
    lastLeaving = null;
    lock.unlock();
    for (; left != null; left = left.next) {
      left.store.run();
    }
    if (event != null) {
      event.record();
    }
  }

  /// Has pages leave until the others are within the budget. Where memory lacks for that, the next
  /// newcomer makes them leave: the one that came may be in the middle of a commit.
  private void evict() {
    try {
      evictAll();
    } catch (OutOfMemoryError _) {
      count(); // what left so far
    }
  }

  private void evictAll() {
    count();
    while (bytes() > bytesMax) {
      Node node = nextToLeave();
      if (node == null) {
        return;
      }
      drop(node);
      count();
    }
  }

  private @Nullable Node nextToLeave() {
    Inner unused = inners.evictUnused(looksAtInners());
    if (unused != null) {
      return unused;
    }
    Leaf leaf = leaves.evict(bytesMax);
    return leaf != null ? leaf : inners.evictAny();
  }

  private int looksAtInners() {
    if (inners.bytes() > bytesMax / 8 * CROWDED_EIGHTHS) {
      return CROWDED_LOOKS;
    }
    if (++leavesSinceLook < LEAVES_FOR_A_LOOK) {
      return 0;
    }
    leavesSinceLook = 0;
    return 1;
  }

  /// Drops the page of a node that is in no queue any more. That does not fail for lack of memory,
  /// or the page would stay, and nobody would count it.
  private void drop(Node node) {
    evictions++;
    try {
      leave(node);
    } catch (OutOfMemoryError _) {
      // The page is in the file as well, and an event that is missed is no harm.
    }
    clear(node);
  }

  private void leave(Node node) {
    if (offHeap != null && node.isClean()) {
      store(offHeap, node);
    }
    if (Events.evictionIsOn()) {
      evicted = EvictionEvent.of(node.level(), Extent.offset(node.extent()), bytes());
    }
  }

  private void store(OffHeapTier tier, Node node) {
    switch (node) {
      case Leaf leaf -> {
        byte[] page = leaf.page();
        if (page != null) {
          add(new Departure(() -> tier.put(leaf, page)));
        }
      }
      case Inner inner -> {
        Branches branches = inner.branches();
        if (branches != null) {
          add(new Departure(() -> tier.put(inner, branches)));
        }
      }
    }
  }

  private void add(Departure departure) {
    Departure last = lastLeaving;
    if (last == null) {
      firstLeaving = departure;
    } else {
      last.next = departure;
    }
    lastLeaving = departure;
  }

  private static void clear(Node node) {
    switch (node) {
      case Leaf leaf -> leaf.page(null);
      case Inner inner -> inner.branches(null);
    }
  }

  private void count() {
    cleanBytes = leaves.bytes() + inners.bytes();
    dirtyInnerBytes = inners.dirtyBytes();
  }

  /// The most memory outside of the heap that pages may take.
  public long offHeapBytesMax() {
    return offHeap == null ? 0 : offHeap.budgetBytes();
  }

  /// Figures of pages outside of the heap.
  public OffHeapCounts offHeapCounts() {
    return offHeap == null ? OffHeapCounts.NONE : offHeap.counts();
  }

  /// Returns the memory outside of the heap. What is on the heap stays.
  @Override
  public void close() {
    if (offHeap != null) {
      offHeap.close();
    }
  }

  public long bytesMax() {
    return bytesMax;
  }

  /// Bytes of pages in memory.
  public long bytes() {
    return cleanBytes + dirtyBytes;
  }

  /// Bytes of leaves in memory that are not written.
  public long dirtyBytes() {
    return dirtyBytes;
  }

  /// The bytes that dirty leaves may take: the budget, less what cannot leave, but something.
  public long dirtyBytesMax() {
    return Math.max(bytesMax / 8, bytesMax - dirtyInnerBytes);
  }

  /// The bytes of pages that the next checkpoint has to write, about.
  public long unwrittenBytes() {
    return dirtyBytes + dirtyInnerBytes;
  }

  /// Bytes of inner pages that stay until they are written, since their leaves alone were.
  public long dirtyInnerBytes() {
    return dirtyInnerBytes;
  }

  /// About how often a reader found the leaf that it wanted in memory.
  public long hits() {
    return hits.sum();
  }

  /// How often a reader did not.
  public long misses() {
    return misses.sum();
  }

  public long loads() {
    return loads.sum();
  }

  public long evictions() {
    lock.lock();
    try {
      return evictions;
    } finally {
      lock.unlock();
    }
  }
}
