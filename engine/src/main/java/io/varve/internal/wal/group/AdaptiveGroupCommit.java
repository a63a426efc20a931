package io.varve.internal.wal.group;

import io.varve.internal.disk.Clock;
import java.util.concurrent.atomic.AtomicInteger;

/// Decides when the open batch is written, from what the last ones showed.
///
/// Threads that commit in a loop come back soon after they were answered. To write immediately what
/// has gathered when a write ends leaves them for the next one: two halves take turns, and each
/// write serves half of the threads. So the rule is to *hold* the open batch until as many commits
/// have gathered as were answered and waited when the last write ended. These are its *companions*.
/// No hold is longer than a write takes. A commit that comes alone, or first after a rest, is never
/// held: its companions are itself, or long due.
///
/// Where commits do not come back in time, holding is of no use: they come from threads that have
/// other work. Or they come from so many threads that cores are short, and their work fills the
/// time of a write anyway. So each hold that was without effect takes some credit, and each that
/// was not gives some; without credit, one write in some is held to see whether that has changed.
///
/// Without credit, and while few commits wait, a second batch does not wait for the first to end,
/// since devices overlap writes: it is written when at least as many commits have gathered for it
/// as wait for those under way.
///
/// No rule of order or durability depends on these figures, so updates may be lost.
final class AdaptiveGroupCommit implements GroupCommitPolicy {
  /// The longest that a batch is held, whatever a write takes.
  private static final long HOLD_NANOS_MAX = 1_000_000;

  private static final int CREDIT_MAX = 8;

  /// Without credit, one write in so many is held.
  private static final int TRIAL = 32;

  /// Writes overlap for no more commits than these: with more, one write after the other is used
  /// well.
  private static final int OVERLAP_COMMITS_MAX = 4;

  private final int flusherCount;
  private final Clock clock;

  /// Commits that wait for batches under way; at least one per batch.
  private final AtomicInteger waiting = new AtomicInteger();

  /// About how long a write takes.
  private volatile long recentNanos;

  private volatile int companions = 1;

  /// Until when the open batch is held, in the time of the clock.
  private volatile long holdUntilNanos;

  /// Whether a commit has been held back since the last write began.
  private volatile boolean isHolding;

  private volatile int credit = CREDIT_MAX / 2;
  private volatile int untilTrial = TRIAL;

  AdaptiveGroupCommit(int flusherCount, Clock clock) {
    this.flusherCount = flusherCount;
    this.clock = clock;
    holdUntilNanos = clock.nanoTime();
  }

  @Override
  public int flusherCount() {
    return flusherCount;
  }

  @Override
  public boolean callerWrites(int others, int gathered) {
    return others == 0 ? holdNanos(gathered) <= 0 : overlaps(others, gathered);
  }

  @Override
  public boolean flusherWrites(int others, Batch batch) {
    return others == 0
        ? batch.needsFlusher || holdNanos(batch) <= 0
        : overlaps(others, batch.waiterCount());
  }

  @Override
  public long holdNanos(Batch batch) {
    return batch.flushNow ? 0 : holdNanos(batch.waiterCount());
  }

  private long holdNanos(int gathered) {
    if (gathered >= companions) {
      return 0;
    }
    long left = holdUntilNanos - clock.nanoTime();
    if (left > 0 && !isHolding) {
      isHolding = true;
    }
    return left;
  }

  private boolean overlaps(int others, int gathered) {
    int before = waiting.get();
    return others < flusherCount
        && credit == 0
        && untilTrial > 0
        && gathered >= before
        && gathered <= OVERLAP_COMMITS_MAX - before;
  }

  @Override
  public long patienceNanos(boolean callerMayServe) {
    if (!callerMayServe) {
      return Long.MAX_VALUE;
    }
    long holdLeft = holdUntilNanos - clock.nanoTime();
    if (holdLeft > 0 && waiting.get() == 0) {
      return holdLeft;
    }
    boolean isHeldNext = credit > 0 || untilTrial == 0;
    // A write under way seldom takes longer than that.
    return isHeldNext ? recentNanos + holdNanosMax() : Long.MAX_VALUE;
  }

  private long holdNanosMax() {
    return Math.min(recentNanos, HOLD_NANOS_MAX);
  }

  @Override
  public void begin(int commits) {
    waiting.addAndGet(commits);
    if (isHolding) {
      isHolding = false;
      credit = commits >= companions ? Math.min(credit + 1, CREDIT_MAX) : Math.max(credit - 1, 0);
    }
  }

  @Override
  public void end(int commits, int answered, int gathered, long nanos) {
    boolean isLast = waiting.addAndGet(-commits) == 0;
    long recent = recentNanos;
    recentNanos = recent + (nanos - recent) / 8;
    int left = untilTrial;
    if (credit == 0 && left > 0) {
      untilTrial = left - 1;
    }
    if (!isLast) {
      return;
    }
    companions = answered + gathered;
    boolean isTrial = left == 0;
    if (isTrial) {
      untilTrial = TRIAL;
    }
    holdUntilNanos = clock.nanoTime() + (credit > 0 || isTrial ? holdNanosMax() : 0);
  }
}
