package io.varve.cache.internal.container;

import io.varve.cache.CacheFullException;
import java.util.concurrent.atomic.AtomicLong;

/// How much of a bounded heap is taken whose entries give way to none. Safe for threads.
///
/// (HA-1) What is taken is never more than the bound, and is what the entries take whenever no
/// thread changes one. A thread that adds one takes before; a thread that removes one returns
/// after.
final class HeapAdmission {
  private final HeapBound bound;
  private final AtomicLong taken = new AtomicLong();

  HeapAdmission(HeapBound bound) {
    this.bound = bound;
  }

  /// Whether there is anything to ask for. If not, entries give way to others.
  boolean isNeeded() {
    return bound.refuses();
  }

  /// What an entry takes.
  ///
  /// @param valueBytes about the bytes of its value
  long sizeOf(Object key, long valueBytes) {
    return bound.bytesMax() > 0 ? HeapBound.weight(key, valueBytes) : 1;
  }

  /// Takes more, or returns some.
  ///
  /// @throws CacheFullException if there is not so much; then nothing was taken
  void change(long by) {
    long max = bound.bytesMax() > 0 ? bound.bytesMax() : bound.entriesMax();
    long before = taken.getAndUpdate(now -> by > 0 && now + by > max ? now : now + by);
    if (by > 0 && before + by > max) {
      throw new CacheFullException(
          "the cache is full: "
              + (bound.bytesMax() > 0 ? "heapBytesMax=" : "heapEntriesMax=")
              + max
              + ", taken="
              + before
              + ", wanted="
              + by
              + "; remove entries, allow more, or let it evict");
    }
  }
}
