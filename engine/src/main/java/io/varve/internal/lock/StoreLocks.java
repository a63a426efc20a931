package io.varve.internal.lock;

/// The locks of one store, of which a thread waits only for those after what it holds in
/// [LockOrder]. Made with the page file, which all else of a store is built on.
///
/// The order is checked where assertions are enabled, at each [OrderedLock] and where monitors and
/// the gate are entered. Without assertions none of this is called, and no thread has a record.
///
/// - (ORDER-1) A thread waits for a lock only while it holds none of a later level. Nor does it
///   hold one of the same level and a higher rank. A lock that is only tried may be taken in any
///   order: to try it waits for nobody. What is waited for while it is held counts all the same.
/// - (ORDER-2) The record of a thread is its own. A thread that takes a lock releases it; there is
///   no other way with these, virtual threads included, since each of those has a record too.
/// - (ORDER-3) Locks of two stores have no order. The engine holds none of one store while it uses
///   another. A listener or policy of a program, which is called with locks held, may do so.
@SuppressWarnings("EnumOrdinal") // the order of the constants is what is meant
public final class StoreLocks {
  private final ThreadLocal<Held> held = ThreadLocal.withInitial(Held::new);

  /// What a thread holds.
  private static final class Held {
    /// How often, by level: locks may be taken again by their holder.
    final int[] counts = new int[LockOrder.values().length];

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
      for (LockOrder order : LockOrder.values()) {
        if (counts[order.ordinal()] != 0) {
          held.append(' ').append(order);
        }
      }
      return held.toString();
    }
  }

  /// Checks that the calling thread may wait for a lock of a level (ORDER-1).
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it may not
  public boolean mayWait(LockOrder level, long rank) {
    Held mine = held.get();
    if (!mine.isFreeAfter(level.ordinal(), rank)) {
      throw new AssertionError(
          "lock taken out of order: wanted=" + level + ", rank=" + rank + ", held=" + mine);
    }
    return true;
  }

  /// Records that the calling thread is about to wait for a lock of a level, if it may. Called
  /// before the lock is taken, so that a violation leaves none locked.
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it may not
  public boolean enter(LockOrder level, long rank) {
    return mayWait(level, rank) && entered(level, rank);
  }

  /// As [#enter(LockOrder, long)], of a level that has no ranks.
  public boolean enter(LockOrder level) {
    return enter(level, 0);
  }

  /// Records a lock of a level that was taken without a wait.
  ///
  /// @return true, so that it can be asserted
  public boolean entered(LockOrder level, long rank) {
    held.get().add(level.ordinal(), rank);
    return true;
  }

  /// Records that the calling thread released a lock of a level. Makes no object.
  ///
  /// @return true, so that it can be asserted
  /// @throws AssertionError if it held none
  public boolean exit(LockOrder level) {
    int[] counts = held.get().counts;
    if (counts[level.ordinal()] == 0) {
      throw new AssertionError("lock released by a thread that did not take it: " + level);
    }
    counts[level.ordinal()]--;
    return true;
  }
}
