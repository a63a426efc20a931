package io.varve.internal.checkpoint;

import io.varve.internal.cache.PageCache;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.wal.CheckpointLog;
import java.io.IOException;

/// Paces the writes of a checkpoint so that commits that wait for forces keep their latency: the
/// device serves both. While nobody waits for a force the checkpoint writes as fast as it can. The
/// nearer the log comes to its cap, or dirty pages to theirs, the faster it may go.
///
/// For one thread at a time, except [#mayHurry()].
public final class CheckpointPacer implements CheckpointWriter.Pace {
  /// Bytes per second with waiting commits. Unpaced, 0.4 to 1.2 GB/s of page writes cut the rate of
  /// commits to an eighth; at 50 MB/s they cost 3 % (docs/decisions).
  private static final long PACED_BYTES_PER_SECOND = 64L << 20;

  /// The share of the log's cap from which a checkpoint hurries.
  private static final double LOG_EASY_SHARE = 0.8;

  /// The longest wait for one write, so that a mistaken rate does no harm.
  private static final long WAIT_NANOS_MAX = 20_000_000;

  /// A checkpoint may write twice what is known to be dirty, and some more: inner pages that became
  /// dirty lately, the catalog.
  private static final int TIGHT_FACTOR = 2;

  private static final long TIGHT_BYTES = 4 << 20;

  private static final int AMPLE_FACTOR = 8;

  private final Clock clock;
  private final DirtyShare dirty;
  private final Disk disk;
  private final PageCache cache;

  private final CheckpointLog log;
  private volatile long lastWaiters;
  private boolean commitsWait;
  private boolean tight;

  public CheckpointPacer(
      Clock clock, CheckpointLog log, DirtyShare dirty, Disk disk, PageCache cache) {
    this.disk = disk;
    this.cache = cache;
    this.clock = clock;
    this.log = log;
    this.dirty = dirty;
  }

  /// Starts a checkpoint, or a write of pages that no force follows: then the system may gather
  /// them, unless commits are seen to wait.
  void begin(boolean forced) {
    lastWaiters = log.waiters();
    commitsWait = forced;
    tight = usableBytes() / TIGHT_FACTOR < cache.unwrittenBytes() + TIGHT_BYTES;
  }

  /// Whether nobody is known to wait for a force, so that pages may be written as fast as it goes.
  boolean mayHurry() {
    return log.waiters() == lastWaiters;
  }

  /// Whether the disk has capacity for so many bytes several times over.
  boolean hasCapacityFor(long bytes) {
    return usableBytes() / AMPLE_FACTOR > bytes + TIGHT_BYTES;
  }

  private long usableBytes() {
    try {
      return disk.usableBytes();
    } catch (IOException e) {
      return Long.MAX_VALUE; // unknown: then a full disk is met when it is
    }
  }

  @Override
  public boolean isTight() {
    return tight;
  }

  @Override
  public boolean isEven() {
    return commitsWait;
  }

  @Override
  public void wrote(long bytes) {
    long waiters = log.waiters();
    commitsWait = waiters != lastWaiters;
    lastWaiters = waiters;
    if (!commitsWait) {
      return;
    }
    double logShare = (double) log.retainedBytes() / log.bytesMax();
    double urgency =
        Math.max(
            dirty.urgency(), Math.clamp((logShare - LOG_EASY_SHARE) / (1 - LOG_EASY_SHARE), 0, 1));
    if (urgency < 1) {
      double rate = PACED_BYTES_PER_SECOND / (1 - urgency);
      clock.delay(this, Math.min(WAIT_NANOS_MAX, (long) (bytes * 1e9 / rate)));
    }
  }
}
