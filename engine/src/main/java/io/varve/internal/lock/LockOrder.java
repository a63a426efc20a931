package io.varve.internal.lock;

/// The levels of the locks of a store, in their order: a thread that holds one waits only for those
/// after it, as [StoreLocks] checks.
public enum LockOrder {
  /// Held for a close, by `OpenStore`.
  CLOSING,

  /// Held while an index is made, renamed or dropped, by `IndexRegistry`.
  INDEXES,

  /// Held while a space is made, renamed or dropped, by `Spaces`.
  REGISTRY,

  /// Held while capacity is freed for a commit that grows the store, by `CapacityReclaimer`.
  FREEING_FOR_GROWTH,

  /// Held while capacity is freed for a commit that deletes, by `CapacityReclaimer`.
  FREEING_FOR_DELETES,

  /// Held for a checkpoint, and a verification with accounts, by `Checkpointer`.
  CHECKPOINT,

  /// Held while pages are written, for a checkpoint or a spill, by `Checkpointer`.
  PAGE_WRITES,

  /// The write lock of a space, held for a commit, but neither while pages are read nor for the
  /// log; several in the order of the ids of their spaces, which are their ranks.
  WRITE,

  /// Held while a part of a dropped tree is read and removed, by `DroppedSpaces`.
  REMOVAL,

  /// Held while a store in memory frees extents, by `MemoryReclaimer`.
  MEMORY,

  /// Held while an epoch is closed or held, by `Snapshots`.
  SNAPSHOTS,

  /// `CommitGate`: held by the thread that has shut it, and by those that are inside.
  GATE,

  /// Held for a few instructions, by `Epochs`.
  EPOCHS,

  /// Held while the disk is asked what is free, by `DiskAdmission`.
  ADMISSION,

  /// The monitor of `LargeAccounts`, held while extents of large values are entered.
  LARGE_VALUES,

  /// The monitor of a node, held while it is loaded, placed or replaced.
  NODE,

  /// Held for a few instructions, and while the page file is cut, by `Extents`.
  EXTENTS,

  /// Held for a few instructions, by `PageCache`.
  CACHE,

  /// Held while one image is copied, and for a new slab, by `OffHeapShard`.
  OFF_HEAP
}
