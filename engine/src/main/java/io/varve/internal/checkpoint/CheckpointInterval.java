package io.varve.internal.checkpoint;

import io.varve.internal.disk.Clock;
import io.varve.internal.txn.CommitOrder;
import java.time.Duration;

/// The time between checkpoints: one is due when it has passed with commits. Some times in it the
/// checkpoint thread looks at the files. Where an interval has passed without commits there is time
/// to tidy. For the checkpoint thread alone.
public final class CheckpointInterval {
  /// The looks in an interval.
  private static final int LOOKS = 6;

  /// For looks an interval is no longer: files stay in proportion where no time makes a checkpoint
  /// due.
  private static final long LOOKED_NANOS_MAX = Duration.ofHours(1).toNanos();

  private final CommitOrder order;
  private final LogProportion proportion;
  private final Clock clock;
  private final long nanos;

  /// When it began.
  private long began;

  /// The last commit then, or -1 if a checkpoint is due whatever was committed.
  private long commitsThen;

  /// When the thread last looked.
  private long looked;

  /// The last commit then.
  private long commitsLooked;

  /// When a look last found a commit that the one before had not.
  private long quietSince;

  /// The last commit when a look found that nobody commits.
  private long quietAt = -1;

  public CheckpointInterval(CommitOrder order, LogProportion proportion, Clock clock, long nanos) {
    this.order = order;
    this.proportion = proportion;
    this.clock = clock;
    this.nanos = nanos;
    this.looked = clock.nanoTime();
    this.quietSince = looked;
  }

  /// Begins with a checkpoint of all that is committed now.
  void begin() {
    commitsThen = order.lastCommit();
    began = clock.nanoTime();
  }

  private boolean hasPassed() {
    return clock.nanoTime() - began >= nanos;
  }

  private boolean hasCommits() {
    return order.lastCommit() != commitsThen;
  }

  /// Whether it has passed, with something to write.
  boolean isDue() {
    return hasPassed() && hasCommits();
  }

  /// Has it end with a checkpoint, although nothing be committed, and a look after that find what
  /// became free.
  void expectChanges() {
    commitsThen = -1;
    quietSince = clock.nanoTime();
    quietAt = -1;
  }

  /// The nanoseconds until it has passed, or the next look is due.
  long nanosLeft() {
    long now = clock.nanoTime();
    return Math.min(nanos - (now - began), lookNanos() - (now - looked));
  }

  private long lookNanos() {
    return Math.min(nanos, LOOKED_NANOS_MAX) / LOOKS;
  }

  /// What a look finds to be done, so that the files stay in proportion to the data.
  enum Due {
    NOTHING,

    /// A checkpoint, since the log has become long.
    CHECKPOINT,

    /// Since nobody commits: all log is to be released, and the page file looked at.
    RELEASE_AND_COMPACT,

    /// The same where there is little log.
    COMPACT
  }

  /// Looks, if it is time.
  Due look() {
    long now = clock.nanoTime();
    if (now - looked < lookNanos()) {
      return Due.NOTHING;
    }
    looked = now;
    long last = order.lastCommit();
    if (last != commitsLooked) {
      commitsLooked = last;
      quietSince = now;
    }
    // Not sooner: a commit that comes then waits for the checkpoints that tidying takes (D5).
    boolean isQuiet = now - quietSince >= Math.min(nanos, LOOKED_NANOS_MAX);
    if (isQuiet && quietAt == last) {
      return Due.NOTHING; // what a look found then would be as hard to change now
    }
    if (isQuiet) {
      quietAt = last;
      return proportion.isLogWorthReleasing() ? Due.RELEASE_AND_COMPACT : Due.COMPACT;
    }
    return quietSince == now && proportion.isLogLong() ? Due.CHECKPOINT : Due.NOTHING;
  }

  /// Begins again if it has passed without a commit.
  void passIdle() {
    if (hasPassed() && !hasCommits()) {
      began = clock.nanoTime();
    }
  }
}
