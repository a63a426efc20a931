package io.varve.internal.cache;

import io.varve.internal.disk.NativeMemory;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.Node;
import io.varve.internal.page.PageImage;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Clean pages that left the heap, in memory outside of it, within a budget in bytes. A load that
/// finds its page here does not read the file.
///
/// - (OFFHEAP-1) What is here is found by the extent *and* the checksum that the parent names, as
///   an image in the file is: a page that was written to the same extent later is never mixed up
///   with it. It is removed when its extent is retired, if no snapshot shows it, and when the
///   extent is written again.
/// - (OFFHEAP-2) A page is compared with a sum of its bytes when it comes back; one that differs
///   was never here.
/// - (OFFHEAP-3) A page that finds no memory, be it here or on the heap for the way to here, is
///   dropped. The thread that stores it may be in the middle of a commit, or hold a lock.
///
/// Pages are stored as they were on the heap, without the gap of a leaf: not compressed, so that
/// coming and leaving cost two copies and no more, and not encrypted, as on the heap.
///
/// Memory is taken slab by slab while the tier fills. If the system refuses a slab, the tier stays
/// as small as it is. Safe for threads.
final class OffHeapTier implements AutoCloseable {
  /// Enough that threads seldom want the same one: a lock is held for a microsecond.
  private static final int SHARDS_MAX = 32;

  /// A ring of fewer slabs would lose much of its content at a time.
  private static final int SLABS_OF_SHARD_MIN = 8;

  /// Twice the longest leaf, which is as long as offsets of two bytes allow.
  private static final int SLAB_BYTES_MIN = 1 << 17;

  private static final int SLAB_BYTES_MAX = 1 << 22;
  private static final int SLABS = 1024;

  private final long budgetBytes;
  private final NativeMemory memory;
  private final List<OffHeapShard> shards;
  private final AtomicBoolean refused = new AtomicBoolean();

  /// Makes an empty tier.
  ///
  /// @param memory closed with this
  OffHeapTier(StoreLocks locks, long budgetBytes, NativeMemory memory) {
    this.budgetBytes = budgetBytes;
    this.memory = memory;
    int slabBytes =
        Math.clamp(Long.highestOneBit(budgetBytes / SLABS), SLAB_BYTES_MIN, SLAB_BYTES_MAX);
    int slabs = Math.toIntExact(budgetBytes / slabBytes);
    int count = Integer.highestOneBit(Math.clamp(slabs / SLABS_OF_SHARD_MIN, 1, SHARDS_MAX));
    this.shards =
        IntStream.range(0, count)
            .mapToObj(_ -> new OffHeapShard(locks, memory, slabBytes, slabs / count))
            .toList();
  }

  /// Makes an empty tier.
  ///
  /// @param budgetBytes of memory at most; 0 if there is to be no tier
  /// @return null if so
  /// @throws IllegalArgumentException if the machine has less memory than that
  static @Nullable OffHeapTier of(StoreLocks locks, long budgetBytes) {
    if (budgetBytes == 0) {
      return null;
    }
    long memoryBytes = NativeMemory.bytesMax();
    if (budgetBytes > memoryBytes) {
      throw new IllegalArgumentException(
          "more memory outside of the heap than there is: cache.offHeapBytes="
              + budgetBytes
              + ", memoryBytes="
              + memoryBytes
              + "; lower cache.offHeapBytes (--cache-off-heap), or give the machine or container"
              + " more memory");
    }
    return new OffHeapTier(locks, budgetBytes, new NativeMemory());
  }

  private OffHeapShard shard(long extent) {
    return shards.get((int) (ImageTable.hash(extent) >>> Integer.SIZE) & (shards.size() - 1));
  }

  /// Stores the page of a clean leaf that left the heap. For lack of memory it does not, and does
  /// not fail: the page is in the file as well, and no read or commit fails for it (OFFHEAP-3).
  void put(Leaf leaf, byte[] page) {
    put(leaf, page, LeafPage.gapFrom(page), LeafPage.gapTo(page));
  }

  /// Stores the branches of a clean inner node that left the heap, as [#put(Leaf, byte[])] does.
  void put(Inner inner, Branches branches) {
    byte[] image;
    try {
      image = PageImage.ofInner(branches, inner.level(), 0, 0);
    } catch (OutOfMemoryError _) {
      return; // OFFHEAP-3
    }
    put(inner, image, image.length, image.length);
  }

  private void put(Node node, byte[] page, int gapFrom, int gapTo) {
    OffHeapShard shard = shard(node.extent());
    if (shard.mayContain(node.extent())) {
      return;
    }
    SlabImage image;
    try {
      image = SlabImage.of(node.extent(), node.checksum(), page, gapFrom, gapTo);
    } catch (OutOfMemoryError _) {
      return; // OFFHEAP-3
    }
    try {
      shard.put(image);
    } catch (OutOfMemoryError e) {
      report(e);
    }
  }

  private void report(OutOfMemoryError cause) {
    try {
      warn(cause);
    } catch (OutOfMemoryError _) {
      refused.set(false); // the next refusal is reported
    }
  }

  /// The page of a clean leaf, or null if it is not here.
  byte @Nullable [] get(Leaf leaf) {
    return bytes(leaf);
  }

  /// The branches of a clean inner node, or null if they are not here.
  @Nullable Branches get(Inner inner) {
    byte[] image = bytes(inner);
    try {
      return image == null ? null : PageImage.toBranches(image, inner.level());
    } catch (MalformedImageException _) {
      return null;
    }
  }

  private byte @Nullable [] bytes(Node node) {
    return shard(node.extent()).get(node.extent(), node.checksum());
  }

  /// Removes what has that extent.
  void remove(long extent) {
    shard(extent).remove(extent);
  }

  /// On a thread of its own: the caller holds locks, and a logger may be a program's own.
  private void warn(OutOfMemoryError cause) {
    if (refused.getAndSet(true)) {
      return;
    }
    String message =
        "memory outside of the heap was refused, pages there stay as few as they are:"
            + " cache.offHeapBytes="
            + budgetBytes
            + ", taken="
            + counts().bytes()
            + "; lower cache.offHeapBytes (--cache-off-heap), or give the machine or container more"
            + " memory";
    StoreThreads.PLATFORM
        .newVirtualThread(
            "varve-off-heap-report",
            () ->
                System.getLogger(OffHeapTier.class.getName())
                    .log(System.Logger.Level.WARNING, message, cause))
        .start();
  }

  long budgetBytes() {
    return budgetBytes;
  }

  OffHeapCounts counts() {
    OffHeapCounts counts = OffHeapCounts.NONE;
    for (OffHeapShard shard : shards) {
      counts = shard.addTo(counts);
    }
    return counts;
  }

  /// Returns all memory. Waits for copies in progress; what is asked later is not here.
  @Override
  public void close() {
    shards.forEach(OffHeapShard::close);
    memory.close();
  }
}
