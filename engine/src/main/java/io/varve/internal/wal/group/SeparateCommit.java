package io.varve.internal.wal.group;

/// Every commit forces the log, one after the other. A flusher does it for threads that may not.
final class SeparateCommit implements GroupCommitPolicy {
  @Override
  public int flusherCount() {
    return 1;
  }

  @Override
  public boolean callerWrites(int others, int gathered) {
    return true;
  }

  @Override
  public boolean flusherWrites(int others, Batch batch) {
    return true;
  }

  @Override
  public boolean isSeparate() {
    return true;
  }
}
