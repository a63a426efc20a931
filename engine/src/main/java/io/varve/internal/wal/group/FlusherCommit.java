package io.varve.internal.wal.group;

/// Threads of the log write what has gathered as soon as they can, and nobody else does.
record FlusherCommit(int flusherCount) implements GroupCommitPolicy {
  @Override
  public boolean callerWrites(int others, int gathered) {
    return false;
  }

  @Override
  public boolean flusherWrites(int others, Batch batch) {
    return others < flusherCount;
  }
}
