package io.varve.internal.page;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// The clean pages that are in memory, within a budget in bytes that dirty pages share.
///
/// Retention is S3-FIFO (Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023):
/// newcomers enter a small queue and leave it soon unless they were used again, so a scan passes
/// through without displacing what is hot; those that were used move to the main queue, where each
/// use buys another round; a newcomer that was dropped lately goes to the main queue at once. Inner
/// pages enter the main queue and stay while any child is in memory.
///
/// A hit writes at most one byte in the node, and only while the count is below [#USES_MAX]. All
/// else is under one lock, which misses alone take.
public final class PageCache {
  static final byte USES_MAX = 3;

  /// The share of the budget that the small queue gets: one part in ten.
  private static final int SMALL_SHARE = 10;

  /// What a node weighs besides its page: the node and its place in queue and parent.
  private static final int NODE_BYTES = 96;

  private final ReentrantLock lock = new ReentrantLock();
  private final PageQueue small = new PageQueue();
  private final PageQueue main = new PageQueue();
  private final GhostQueue ghosts = new GhostQueue();
  private final long bytesMax;

  private volatile long cleanBytes;
  private volatile long dirtyBytes;
  private final LongAdder loads = new LongAdder();
  private long evictions;

  /// Makes an empty cache.
  ///
  /// @param bytesMax the budget for clean and dirty pages together
  public PageCache(long bytesMax) {
    this.bytesMax = bytesMax;
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
      lock.unlock();
    }
  }

  /// Takes in a clean node whose page was just loaded or written.
  void admit(Node node) {
    lock.lock();
    try {
      long weight = weight(node);
      if (weight == 0 || node.queue != null) {
        return;
      }
      boolean known = node instanceof Inner || ghosts.contains(node.extent());
      (known ? main : small).add(node, weight);
      cleanBytes = small.bytes() + main.bytes();
      evict();
    } finally {
      lock.unlock();
    }
  }

  /// Drops the page of a clean node that no tree contains any more. A reader that came to it before
  /// loads it again.
  void forget(Node node) {
    lock.lock();
    try {
      PageQueue queue = node.queue;
      if (queue != null) {
        queue.remove(node);
        cleanBytes = small.bytes() + main.bytes();
      }
      clear(node);
    } finally {
      lock.unlock();
    }
  }

  void countLoad() {
    loads.increment();
  }

  private void evict() {
    // A bound on the work done for one newcomer; the rest is left to the next.
    int steps = 64;
    while (cleanBytes + dirtyBytes > bytesMax && steps-- > 0) {
      boolean fromSmall = small.bytes() * SMALL_SHARE > bytesMax || main.size() == 0;
      Node node = (fromSmall ? small : main).poll();
      if (node == null) {
        return;
      }
      if (fromSmall) {
        leaveSmall(node);
      } else {
        leaveMain(node);
      }
      cleanBytes = small.bytes() + main.bytes();
    }
  }

  private void leaveSmall(Node node) {
    if (node instanceof Leaf leaf && leaf.uses > 0) {
      leaf.uses = 0;
      main.add(node, weight(node));
    } else {
      ghosts.add(node.extent(), main.size() + small.size());
      drop(node);
    }
  }

  private void leaveMain(Node node) {
    if (isKept(node)) {
      main.add(node, weight(node));
    } else {
      drop(node);
    }
  }

  private static boolean isKept(Node node) {
    switch (node) {
      case Leaf leaf -> {
        if (leaf.uses == 0) {
          return false;
        }
        leaf.uses--;
        return true;
      }
      case Inner inner -> {
        Branches branches = inner.branches();
        return branches != null && hasChildInMemory(branches);
      }
    }
  }

  private static boolean hasChildInMemory(Branches branches) {
    for (int i = 0; i < branches.count(); i++) {
      switch (branches.child(i)) {
        case Leaf leaf -> {
          if (leaf.page() != null) {
            return true;
          }
        }
        case Inner inner -> {
          if (inner.branches() != null) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void drop(Node node) {
    evictions++;
    clear(node);
  }

  private static void clear(Node node) {
    switch (node) {
      case Leaf leaf -> leaf.page(null);
      case Inner inner -> inner.branches(null);
    }
  }

  /// The bytes that the node's page takes in memory, 0 if it is not there. Constant while it is: a
  /// clean page does not change.
  static long weight(Node node) {
    return switch (node) {
      case Leaf leaf -> {
        byte[] page = leaf.page();
        yield page == null ? 0 : page.length + NODE_BYTES;
      }
      case Inner inner -> {
        Branches branches = inner.branches();
        yield branches == null ? 0 : branches.memoryBytes() + NODE_BYTES;
      }
    };
  }

  public long bytesMax() {
    return bytesMax;
  }

  /// Bytes of pages in memory.
  public long bytes() {
    return cleanBytes + dirtyBytes;
  }

  /// Bytes of pages in memory that no checkpoint has written.
  public long dirtyBytes() {
    return dirtyBytes;
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
