package io.varve.internal.checkpoint;

import io.varve.StoreFullException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.disk.Backoff;
import io.varve.internal.disk.Clock;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks for a checkpoint when dirty pages pass a share of the cache, and slows writers smoothly
/// when they pass a larger one: a little at first, and so much near the budget that the checkpoint
/// keeps up. Only if it does not, since each commit dirties a great many pages, do writers wait for
/// it at the budget.
public final class Backpressure {
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
  private volatile @Nullable Runnable askForCheckpoint;
  private volatile BooleanSupplier spill = () -> false;
  private volatile BooleanSupplier checkpointPossible = () -> false;
  private volatile LongSupplier checkpoints = () -> 0;
  private volatile @Nullable Refusal refusal;
  private volatile boolean ended;

  /// A full disk.
  ///
  /// @param checkpoints how many were written before: with another one it is over
  private record Refusal(StoreFullException cause, long checkpoints) {}

  public Backpressure(PageCache cache, Clock clock) {
    this.cache = cache;
    this.clock = clock;
  }

  /// Says whom to ask for a checkpoint.
  ///
  /// @param trySpill writes dirty pages on the calling thread, unless another does so; says whether
  ///   it did
  /// @param mightCome whether one may ever be written
  /// @param written how many were
  public void onPressure(
      Runnable ask, BooleanSupplier trySpill, BooleanSupplier mightCome, LongSupplier written) {
    spill = trySpill;
    checkpointPossible = mightCome;
    checkpoints = written;
    askForCheckpoint = ask;
  }

  /// Whether dirty pages are so many that a checkpoint should be written.
  public boolean wantsCheckpoint() {
    return cache.dirtyBytes() >= (long) (cache.dirtyBytesMax() * CHECKPOINT_SHARE);
  }

  /// Refuses those who wait, since the disk is full, until a checkpoint is written.
  void refuse(StoreFullException cause) {
    refusal = new Refusal(cause, checkpoints.getAsLong());
  }

  /// Lets everybody continue from now on: the store is about to close.
  void end() {
    ended = true;
  }

  /// Waits a little if writers are to be slowed.
  void beforeCommit() {
    long dirty = cache.dirtyBytes();
    long bytesMax = cache.dirtyBytesMax();
    if (dirty < (long) (bytesMax * CHECKPOINT_SHARE)) {
      return;
    }
    Runnable ask = askForCheckpoint;
    if (ask != null) {
      ask.run();
    }
    if (dirty <= (long) (bytesMax * SLOW_SHARE) || spill.getAsBoolean()) {
      return;
    }
    if (dirty >= bytesMax) {
      awaitCheckpoint(ask);
    } else {
      slow();
    }
  }

  /// Whether writers are not to be slowed now. Asks for a checkpoint as [#beforeCommit] does.
  boolean passesNow() {
    if (!wantsCheckpoint()) {
      return true;
    }
    Runnable ask = askForCheckpoint;
    if (ask != null) {
      ask.run();
    }
    return cache.dirtyBytes() <= (long) (cache.dirtyBytesMax() * SLOW_SHARE);
  }

  /// Waits until dirty pages are within the budget. Two checkpoints are enough: the second began
  /// after the call, and writes all that was dirty then.
  private void awaitCheckpoint(@Nullable Runnable ask) {
    long started = clock.nanoTime();
    long before = checkpoints.getAsLong();
    while (cache.dirtyBytes() >= cache.dirtyBytesMax()
        && checkpoints.getAsLong() - before < 2
        && ask != null
        && checkpointPossible.getAsBoolean()
        && !ended) {
      Refusal full = refusal;
      if (full != null && full.checkpoints == checkpoints.getAsLong()) {
        throw new StoreFullException(
            "no room for a checkpoint, which memory has to wait for; nothing was changed; make room"
                + " and try again",
            full.cause);
      }
      ask.run();
      Backoff.sleep(clock, this, DELAY_NANOS_MAX);
    }
    throttledNanos.add(clock.nanoTime() - started);
  }

  private void slow() {
    double excess = urgency();
    long nanos = (long) (DELAY_NANOS_MAX * excess * excess);
    long started = clock.nanoTime();
    Backoff.sleep(clock, this, Math.max(1, nanos));
    throttledNanos.add(clock.nanoTime() - started);
  }

  /// How far dirty pages are between the share that slows writers (0) and the most (1).
  double urgency() {
    double share = (double) cache.dirtyBytes() / cache.dirtyBytesMax();
    return Math.clamp((share - SLOW_SHARE) / (FULL_SHARE - SLOW_SHARE), 0, 1);
  }

  public long throttledNanos() {
    return throttledNanos.sum();
  }
}
