package io.varve.internal.cache;

import io.varve.internal.disk.NativeMemory;
import io.varve.internal.lock.BriefLock;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.StoreLocks;
import org.jspecify.annotations.Nullable;

/// A part of the tier outside of the heap, of the extents whose hash leads here: a table, a ring,
/// and the lock under which both are read and changed. An image is copied under the lock, so that
/// nobody reads what is being overwritten, and no memory that was returned.
final class OffHeapShard {
  private final BriefLock lock;
  private final ImageTable table = new ImageTable();
  private final SlabRing ring;
  private boolean closed;
  private long hits;
  private long misses;

  OffHeapShard(StoreLocks locks, NativeMemory memory, int slabBytes, int slabCountMax) {
    this.lock = new BriefLock(locks, LockOrder.OFF_HEAP);
    this.ring = new SlabRing(memory, table, slabBytes, slabCountMax);
  }

  /// Stores an image.
  ///
  /// @throws OutOfMemoryError as [SlabRing#append(SlabImage)] does
  void put(SlabImage image) {
    lock.lock();
    try {
      if (!closed) {
        ring.append(image);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether an image of an extent is here, of whatever checksum, or of another with the same tag.
  /// Reads the table alone: a header in a slab is seldom in a cache of the processor.
  boolean mayContain(long extent) {
    lock.lock();
    try {
      return table.find(ImageTable.tagOf(extent)) != ImageTable.ABSENT;
    } finally {
      lock.unlock();
    }
  }

  /// The page of the image of an extent with that checksum, or null if it is not here.
  byte @Nullable [] get(long extent, int checksum) {
    SlabImage image = read(extent, checksum);
    if (image == null) {
      return null;
    }
    if (!image.isWhole()) {
      // What is not as it was stored never becomes an answer: the file has the page.
      discard(extent);
      return null;
    }
    return image.page();
  }

  private @Nullable SlabImage read(long extent, int checksum) {
    lock.lock();
    try {
      if (closed) {
        return null;
      }
      int tag = ImageTable.tagOf(extent);
      long location = table.find(tag);
      SlabImage image =
          location == ImageTable.ABSENT ? null : ring.read(location, extent, checksum);
      if (image == null) {
        misses++;
        table.remove(tag); // of another image: the page that is wanted replaces it
      } else {
        hits++;
      }
      return image;
    } finally {
      lock.unlock();
    }
  }

  /// Removes an image that was damaged: to read it was no hit.
  private void discard(long extent) {
    lock.lock();
    try {
      hits--;
      misses++;
      remove(extent);
    } finally {
      lock.unlock();
    }
  }

  /// Removes the image of an extent, if it is here.
  void remove(long extent) {
    lock.lock();
    try {
      int tag = ImageTable.tagOf(extent);
      long location = table.find(tag);
      if (!closed && location != ImageTable.ABSENT && ring.isAt(location, extent)) {
        table.remove(tag);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Ends all access to the memory.
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /// Adds the figures of this part to those of others.
  OffHeapCounts addTo(OffHeapCounts counts) {
    lock.lock();
    try {
      return new OffHeapCounts(
          counts.bytes() + (closed ? 0 : ring.bytes()),
          counts.images() + (closed ? 0 : table.size()),
          counts.hits() + hits,
          counts.misses() + misses,
          counts.evictions() + ring.evictions());
    } finally {
      lock.unlock();
    }
  }
}
