package io.varve.bench.engine;

import java.util.concurrent.locks.ReentrantLock;

/// Commits of a store whose commit takes in whatever any thread has changed so far: one thread at a
/// time changes and commits, so that no commit holds half of another's changes.
final class WholeStoreCommit {
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable commit;

  /// @param commit commits the store as it is
  WholeStoreCommit(Runnable commit) {
    this.commit = commit;
  }

  void change(Runnable changes) {
    lock.lock();
    try {
      changes.run();
      commit.run();
    } finally {
      lock.unlock();
    }
  }
}
