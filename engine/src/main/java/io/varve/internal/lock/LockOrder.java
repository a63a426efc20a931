package io.varve.internal.lock;

/// The locks of a store, in their order: a thread that holds one waits only for those after it.
///
/// The order is checked where assertions are enabled, at each [OrderedLock] and where monitors and
/// the gate are entered. Without assertions none of this is called, and no thread has a record.
///
/// - (ORDER-1) A thread waits for a lock only while it holds none of a later level, nor one of the
///   same level and a higher rank. A lock that is only tried may be taken in any order: to try it
///   waits for nobody. What is waited for while it is held counts all the same.
/// - (ORDER-2) The record of a thread is its own. A thread that takes a lock releases it; there is
///   no other way with these, virtual threads included, since each of those has a record too.
@SuppressWarnings("EnumOrdinal") // the order of the constants is what is meant
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
  CACHE;

  private static final ThreadLocal<Held> HELD = ThreadLocal.withInitial(Held::new);

  /// What a thread holds.
  private static final class Held {
    /// How often, by level: locks may be taken again by their holder.
    final int[] counts = new int[CACHE.ordinal() + 1];

    /// Of each level, the highest rank since none of it was held.
    final long[] ranks = new long[counts.length];

    void add(int level, long rank) {
      ranks[level] = counts[level]++ == 0 ? rank : Math.max(ranks[level], rank);
    }

    boolean isFreeAfter(int level, long rank) {
      for (int later = level + 1; later < counts.length; later++) {
        if (counts[later] != 0) {
          return false;
        }
      }
      return counts[level] == 0 || ranks[level] <= rank;
    }

    @Override
    public String toString() {
      StringBuilder held = new StringBuilder();
      for (LockOrder order : values()) {
        if (counts[order.ordinal()] != 0) {
          held.append(' ').append(order);
        }
      }
      return held.toString();
    }
  }

  /// Checks that the calling thread may wait for a lock of this level (ORDER-1).
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it may not
  public boolean mayWait(long rank) {
    Held held = HELD.get();
    if (!held.isFreeAfter(ordinal(), rank)) {
      throw new AssertionError(
          "lock taken out of order: wanted=" + this + ", rank=" + rank + ", held=" + held);
    }
    return true;
  }

  /// Records that the calling thread is about to wait for a lock of this level, if it may. Called
  /// before the lock is taken, so that a violation leaves none locked.
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it may not
  public boolean enter(long rank) {
    return mayWait(rank) && entered(rank);
  }

  /// As [#enter(long)], of a level that has no ranks.
  public boolean enter() {
    return enter(0);
  }

  /// Records a lock of this level that was taken without a wait.
  ///
  /// @return true, so that it can be asserted
  public boolean entered(long rank) {
    HELD.get().add(ordinal(), rank);
    return true;
  }

  /// Records that the calling thread released a lock of this level. Makes no object.
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it held none
  public boolean exit() {
    int[] counts = HELD.get().counts;
    if (counts[ordinal()] == 0) {
      throw new AssertionError("lock released by a thread that did not take it: " + this);
    }
    counts[ordinal()]--;
    return true;
  }
}
