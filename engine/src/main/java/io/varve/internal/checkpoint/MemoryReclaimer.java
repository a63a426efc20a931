package io.varve.internal.checkpoint;

import io.varve.internal.cache.Pages;
import io.varve.internal.file.Extents;
import io.varve.internal.file.LargeAccounts;
import io.varve.internal.lock.LockOrder;
import io.varve.internal.lock.OrderedLock;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.Snapshots.ClosedEpoch;
import io.varve.internal.txn.Throttle;

/// Frees the memory of large values that were replaced, in a store that no checkpoint frees them
/// in.
public final class MemoryReclaimer implements Throttle {
  /// Below this it is not worth the time in which commits are shut out.
  private static final long RETIRED_BYTES_MIN = 16L << 20;

  private final Epochs epochs;
  private final Snapshots snapshots;
  private final LargeAccounts largeValues;
  private final Extents extents;
  private final OrderedLock lock;

  public MemoryReclaimer(Pages pages, Snapshots snapshots) {
    this.epochs = snapshots.epochs();
    this.snapshots = snapshots;
    this.largeValues = pages.largeValues();
    this.extents = pages.file().extents();
    this.lock = new OrderedLock(pages.file().locks(), LockOrder.MEMORY);
  }

  @Override
  public long beforeCommit(long dirtyingBytes, long bodyBytes, boolean grows) {
    if (largeValues.retiredBytes() >= RETIRED_BYTES_MIN && lock.tryLock()) {
      try {
        reclaim();
      } finally {
        lock.unlock();
      }
    }
    return 0;
  }

  @Override
  public long tryBeforeCommit(long dirtyingBytes, boolean grows) {
    return largeValues.retiredBytes() < RETIRED_BYTES_MIN ? 0 : NOT_NOW;
  }

  private void reclaim() {
    ClosedEpoch closed = snapshots.closeEpoch(() -> {});
    snapshots.release(closed.epoch());
    largeValues.settle();
    extents.forgetBorn(closed.epoch(), epochs.live());
    extents.release(closed.epoch(), epochs.live());
  }
}
