package io.varve.internal.store;

import io.varve.internal.disk.Clock;
import io.varve.internal.page.PageCache;
import io.varve.internal.txn.Throttle;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Asks for a checkpoint when dirty pages pass a share of the cache, and slows writers smoothly
/// when they pass a larger one: a little at first, and so much near the budget that the checkpoint
/// keeps up. It never stops them.
final class Backpressure implements Throttle {
  /// Share of the budget at which a checkpoint starts.
  private static final double CHECKPOINT_SHARE = 0.5;

  /// Share from which writers are slowed.
  private static final double SLOW_SHARE = 0.7;

  /// Share at which the longest delay is reached.
  private static final double FULL_SHARE = 0.95;

  private static final long DELAY_NANOS_MAX = 2_000_000;

  private final PageCache cache;
  private final Clock clock;
  private final LongAdder throttledNanos = new LongAdder();
  private final long checkpointBytes;
  private final long slowBytes;
  private volatile @Nullable Runnable askForCheckpoint;

  Backpressure(PageCache cache, Clock clock) {
    this.cache = cache;
    this.clock = clock;
    this.checkpointBytes = (long) (cache.bytesMax() * CHECKPOINT_SHARE);
    this.slowBytes = (long) (cache.bytesMax() * SLOW_SHARE);
  }

  /// Says whom to ask for a checkpoint.
  void onPressure(Runnable ask) {
    askForCheckpoint = ask;
  }

  @Override
  public void beforeCommit() {
    long dirty = cache.dirtyBytes();
    if (dirty < checkpointBytes) {
      return;
    }
    Runnable ask = askForCheckpoint;
    if (ask != null) {
      ask.run();
    }
    if (dirty > slowBytes) {
      slow();
    }
  }

  private void slow() {
    double excess = urgency();
    long nanos = (long) (DELAY_NANOS_MAX * excess * excess);
    long started = clock.nanoTime();
    clock.parkNanos(this, Math.max(1, nanos));
    throttledNanos.add(clock.nanoTime() - started);
  }

  /// How far dirty pages are between the share that slows writers (0) and the most (1).
  double urgency() {
    double share = (double) cache.dirtyBytes() / cache.bytesMax();
    return Math.clamp((share - SLOW_SHARE) / (FULL_SHARE - SLOW_SHARE), 0, 1);
  }

  long throttledNanos() {
    return throttledNanos.sum();
  }
}
