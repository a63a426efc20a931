package io.varve.internal.wal;

import java.util.concurrent.atomic.AtomicInteger;

/// Decides how many batches are under way at once.
///
/// A device overlaps synchronous writes, so a second batch need not wait for the first; but each
/// costs two system calls and as many switches of threads as the first, so that few large batches
/// are worth more than many small ones as soon as cores are short. The rule: write another batch
/// when at least as many commits have gathered for it as wait for those under way. So few
/// committers keep as many writes under way as there are committers, many keep two or three, each
/// with about half of them, and nothing needs to be measured or configured.
final class Pace implements Grouping {
  private final int flusherCount;

  /// Commits that wait for batches under way; at least one per batch.
  private final AtomicInteger waiting = new AtomicInteger();

  Pace(int flusherCount) {
    this.flusherCount = flusherCount;
  }

  @Override
  public int flusherCount() {
    return flusherCount;
  }

  @Override
  public boolean callerWrites(int others, int gathered) {
    return others == 0 || (others < flusherCount && gathered >= waiting.get());
  }

  @Override
  public boolean flusherWrites(int others, Batch batch) {
    return callerWrites(others, batch.waiterCount());
  }

  @Override
  public void begin(int commits) {
    waiting.addAndGet(commits);
  }

  @Override
  public void end(int commits) {
    waiting.addAndGet(-commits);
  }
}
