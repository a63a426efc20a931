package io.varve.internal.item;

import org.jspecify.annotations.Nullable;

/// The changes between two commits, and who waits for the commit of them: one thread leads those
/// who want it durable, and waits for the disk for all of them; one leads those who do not.
///
/// (G1) The outcome is written before a gate is opened, and never changes.
final class Generation {
  private final Gate applied = new Gate();
  private final Gate letGo = new Gate();
  private volatile @Nullable Outcome outcome;

  /// Whether a thread that does not wait for the disk will commit this. Guarded by the lock of the
  /// changes.
  private boolean led;

  /// Whether a thread that waits for the disk will commit this. Guarded by the lock of the changes.
  private boolean ledToDisk;

  /// @param commit the LSN
  /// @param failure why there is none, or null
  private record Outcome(long commit, @Nullable Throwable failure) {}

  /// Joins those who want this committed.
  ///
  /// @return whether the caller leads, and must commit this
  boolean join(boolean toDisk) {
    boolean leads = toDisk ? !ledToDisk : !led;
    ledToDisk |= toDisk;
    led |= !toDisk;
    return leads;
  }

  /// Whether anybody wants this committed.
  boolean isWanted() {
    return led || ledToDisk;
  }

  /// Whether this was committed, or could not be.
  boolean isEnded() {
    return outcome != null;
  }

  /// Ends this with a commit.
  void committed(long commit) {
    outcome = new Outcome(commit, null);
    applied.open();
  }

  /// Ends this without one.
  void failed(Throwable failure) {
    outcome = new Outcome(0, failure);
    applied.open();
  }

  /// Lets those go who want the commit durable: it is, or could not be made so.
  void letGo() {
    letGo.open();
  }

  /// The commit, once it is applied.
  ///
  /// @throws RuntimeException what failed it
  long awaitApplied() {
    applied.await();
    return outcome();
  }

  /// The commit, once the leader has waited for the disk.
  ///
  /// @throws RuntimeException what failed it
  long awaitLetGo() {
    letGo.await();
    return outcome();
  }

  /// The commit of a generation that ended.
  long outcome() {
    Outcome end = outcome;
    if (end == null) {
      throw new IllegalStateException("generation has not ended");
    }
    Throwable failure = end.failure;
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    return end.commit;
  }
}
