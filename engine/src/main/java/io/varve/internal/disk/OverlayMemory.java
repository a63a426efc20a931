package io.varve.internal.disk;

import java.util.concurrent.atomic.AtomicLong;

/// The memory that an [OverlayDisk] may keep its changes in.
final class OverlayMemory {
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  OverlayMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Takes memory.
  ///
  /// @param where the file it is for, for messages
  /// @throws DiskFullException if the bound is reached; nothing was taken then
  void take(String where, int count) throws DiskFullException {
    long taken = bytes.addAndGet(count);
    if (taken > bytesMax) {
      bytes.addAndGet(-count);
      throw new DiskFullException(
          "no memory for the changes of a store that is open read-only: file="
              + where
              + ", keptBytes="
              + (taken - count)
              + ", bytesMax="
              + bytesMax
              + "; raise cacheBytes, or open the store once for writing");
    }
  }

  /// Returns memory that was taken.
  void release(long count) {
    bytes.addAndGet(-count);
  }

  /// The memory taken and not returned.
  long bytes() {
    return bytes.get();
  }
}
