package io.varve.internal.cache;

import io.varve.internal.page.Branches;
import io.varve.internal.page.Inner;
import org.jspecify.annotations.Nullable;

/// The inner pages in memory that no longer change. They leave in the order in which they came, but
/// those that were used since, up to [#USES_MAX] times, pass as many rounds.
///
/// - (I1) One with a child in memory stays: without it nobody could find the child.
/// - (I2) One that is dirty stays until it is written: a spill writes leaves alone.
///
/// Guarded by the lock of the cache, except [#used(Inner)].
final class InnerQueue {
  private static final int USES_MAX = 3;

  /// How many are looked at for one that may leave: where most have to stay, the search continues
  /// the next time.
  private static final int LOOKS_MAX = 64;

  private final PageQueue<Inner> queue = new PageQueue<>();
  private long dirtyBytes;

  /// Notes a search that passes an inner node. Takes no lock; a lost update costs little.
  static void used(Inner inner) {
    if (inner.uses < USES_MAX) {
      inner.uses++;
    }
  }

  void add(Inner inner) {
    inner.compact();
    if (!inner.isClean()) {
      inner.staysDirty = true;
      dirtyBytes += Weight.of(inner);
    }
    queue.add(inner);
  }

  void remove(Inner inner) {
    if (inner.staysDirty) {
      inner.staysDirty = false;
      dirtyBytes -= Weight.of(inner);
    }
    queue.remove(inner);
  }

  /// Notes that an inner page was written, and so may leave.
  void written(Inner inner) {
    if (inner.staysDirty) {
      remove(inner);
      add(inner);
    }
  }

  long bytes() {
    return queue.bytes();
  }

  /// The bytes of those that are dirty.
  long dirtyBytes() {
    return dirtyBytes;
  }

  /// Looks at the first few and takes out one that is not used.
  ///
  /// @param looks how many to look at, at most
  /// @return null if all of them stay
  @Nullable Inner evictUnused(int looks) {
    for (int i = 0; i < looks; i++) {
      Inner inner = queue.first();
      if (inner == null) {
        return null;
      }
      // Asked of used ones, too, or the nodes of all leaves that ever were in memory stay.
      boolean mayLeave = mayLeave(inner);
      if (inner.uses == 0 && mayLeave) {
        return queue.poll();
      }
      inner.uses = (byte) Math.max(0, inner.uses - 1);
      queue.rotate();
    }
    return null;
  }

  /// Takes out the first that may leave, used or not.
  ///
  /// @return null if none of the first may
  @Nullable Inner evictAny() {
    for (int i = Math.min(queue.size(), LOOKS_MAX); i > 0; i--) {
      Inner inner = queue.first();
      if (inner == null || mayLeave(inner)) {
        return queue.poll();
      }
      queue.rotate();
    }
    return null;
  }

  /// Whether no child is in memory (of those that are not, the nodes go) and it is written.
  private static boolean mayLeave(Inner inner) {
    Branches branches = inner.branches();
    boolean hasChildInMemory = branches != null && branches.forgetAbsent();
    return !hasChildInMemory && !inner.staysDirty;
  }
}
