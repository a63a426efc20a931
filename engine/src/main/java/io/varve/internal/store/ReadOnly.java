package io.varve.internal.store;

import io.varve.LogIo;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.OverlayDisk;
import io.varve.internal.txn.Throttle;

/// What is different in a store that is open read-only. It recovers as any other, over a disk that
/// keeps all changes in memory ([OverlayDisk]), and refuses what users would change.
final class ReadOnly {
  private static final int LOG_BUFFER_BYTES = 1 << 16;
  private static final int LOG_SEGMENT_BYTES = 1 << 18;

  private ReadOnly() {}

  /// The disk between the store and its directory.
  static Disk disk(Disk directory, StoreOptions options) {
    return new OverlayDisk(directory, options.cacheBytes());
  }

  /// The options of a store that never commits: the smallest log there is, none of which is mapped
  /// or kept; and none is made where there is none.
  static StoreOptions options(StoreOptions chosen) {
    return chosen
        .createIfMissing(false)
        .archiveLog(false)
        .log(log ->
            log.io(LogIo.BUFFERED).bufferBytes(LOG_BUFFER_BYTES).segmentBytes(LOG_SEGMENT_BYTES));
  }

  /// No disk is full, but the memory that a replay may take.
  static StoreFullException noMemory(String where, StoreOptions options, Throwable cause) {
    return new StoreFullException(
        "not enough memory to recover the store read-only: directory="
            + where
            + ", cacheBytes="
            + options.cacheBytes()
            + "; raise cacheBytes (--cache), or open the store once for writing, which recovers it"
            + " on disk (varve checkpoint)",
        cause);
  }

  /// Refuses a change.
  ///
  /// @param where the directory
  static IllegalStateException refusal(String what, String where) {
    return new IllegalStateException(
        "the store is open read-only: directory="
            + where
            + ", refused="
            + what
            + "; open it without StoreOptions.readOnly() to change it");
  }

  /// Refuses all commits, before they take effect.
  ///
  /// @param where the directory
  record NoCommits(String where) implements Throttle {
    @Override
    public long beforeCommit(long dirtyingBytes, long bodyBytes, boolean grows) {
      throw refusal("commit", where);
    }

    @Override
    public long tryBeforeCommit(long dirtyingBytes, boolean grows) {
      throw refusal("commit", where);
    }

    @Override
    public long beforeImage(long bytes) {
      throw refusal("commit", where);
    }
  }
}
