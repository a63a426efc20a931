package io.varve.internal.wal.group;

/// Commits queue until `limit` of them wait, or one has waited for long enough; that one writes for
/// all. A flusher writes for threads that may not, and for commits that no thread waits for.
final class CooperativeCommit implements GroupCommitPolicy {
  private final int limit;
  private final long delayNanos;

  CooperativeCommit(int limit, long delayNanos) {
    this.limit = limit;
    this.delayNanos = delayNanos;
  }

  @Override
  public int flusherCount() {
    return 1;
  }

  @Override
  public boolean callerWrites(int others, int gathered) {
    return gathered >= limit;
  }

  @Override
  public boolean flusherWrites(int others, Batch batch) {
    return batch.flushNow || batch.needsFlusher || batch.waiterCount() >= limit;
  }

  @Override
  public long patienceNanos(boolean callerMayServe) {
    return delayNanos;
  }
}
