package io.varve.internal.checkpoint;

import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.file.LargeAccounts;

/// How much of its budget the cache holds in dirty pages, and from which shares on something is
/// done about it.
public final class DirtyShare {
  /// Share of the budget at which a checkpoint starts.
  private static final double CHECKPOINT_SHARE = 0.5;

  /// Share at which a replay spills, of what its buffer leaves of the budget: about half of the
  /// whole, where the buffer takes its third.
  private static final double REPLAY_SHARE = 0.75;

  /// Share from which writers are slowed.
  private static final double SLOW_SHARE = 0.7;

  /// Share at which the longest delay is reached.
  private static final double FULL_SHARE = 0.95;

  private final PageCache cache;
  private final LargeAccounts largeValues;

  public DirtyShare(Pages pages) {
    this.cache = pages.cache();
    this.largeValues = pages.largeValues();
  }

  /// Whether dirty pages, and what waits for a checkpoint or spill with them, are so many that one
  /// should be written.
  public boolean wantsCheckpoint() {
    return isOver(CHECKPOINT_SHARE);
  }

  /// The same in a replay, for which a third of the budget holds what was read and not applied.
  public boolean wantsSpillOfReplay() {
    return isOver(REPLAY_SHARE);
  }

  private boolean isOver(double share) {
    long bytes = cache.dirtyBytes() + largeValues.waitingBytes();
    return bytes >= (long) (cache.dirtyBytesMax() * share);
  }

  /// Whether writers are to be slowed.
  boolean isSlowing() {
    return cache.dirtyBytes() > (long) (cache.dirtyBytesMax() * SLOW_SHARE);
  }

  /// Whether dirty pages take all that they may.
  boolean isFull() {
    return cache.dirtyBytes() >= cache.dirtyBytesMax();
  }

  /// How far dirty pages are between the share that slows writers (0) and the most (1).
  double urgency() {
    double share = (double) cache.dirtyBytes() / cache.dirtyBytesMax();
    return Math.clamp((share - SLOW_SHARE) / (FULL_SHARE - SLOW_SHARE), 0, 1);
  }
}
