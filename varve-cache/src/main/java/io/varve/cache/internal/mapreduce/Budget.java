package io.varve.cache.internal.mapreduce;

import java.util.concurrent.atomic.AtomicLong;

/// The bytes that all tables of a job may take, as measured while they fill.
///
/// (B1) A thread that finds the budget used up, and has at least half of an even share, gives its
/// table up. So a thread that emits much uses what others leave, and all together take at most one
/// and a half times the budget.
public final class Budget {
  private final long bytesMax;
  private final int tables;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong bytesPeak = new AtomicLong();

  public Budget(long bytesMax, int tables) {
    this.bytesMax = bytesMax;
    this.tables = tables;
  }

  /// Notes that a table has grown.
  ///
  /// @param tableBytes that it takes now
  /// @return whether it is to be released
  public boolean grow(long grown, long tableBytes) {
    long now = bytes.addAndGet(grown);
    if (now > bytesPeak.get()) {
      bytesPeak.accumulateAndGet(now, Math::max);
    }
    return now >= bytesMax && tableBytes >= bytesMax / (2L * tables);
  }

  /// Notes that a table was released.
  public void free(long tableBytes) {
    bytes.addAndGet(-tableBytes);
  }

  /// By how much a table may grow before it reports that.
  public long step() {
    return bytesMax / (64L * tables);
  }

  /// The most that all took.
  public long peak() {
    return bytesPeak.get();
  }
}
