package io.varve.internal.item;

import io.varve.Commit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The changes between two commits, and the threads that wait for their commit. One thread leads
/// those that want it durable, and waits for the disk for all of them. One leads those that do not.
///
/// (G1) The outcome is written before a latch is opened, and never changes.
final class CommitGroup {
  private final GroupLatch applied = new GroupLatch();
  private final GroupLatch released = new GroupLatch();

  /// The commit, or null. Written before `ended`, read after.
  private @Nullable Commit commit;

  /// Why there is no commit, or null. Written before `ended`, read after.
  private @Nullable Throwable failure;

  private volatile boolean ended;

  /// Whether a thread that does not wait for the disk will commit this. Guarded by the lock of the
  /// changes.
  private boolean led;

  /// Whether a thread that waits for the disk will commit this. Guarded by the lock of the changes.
  private boolean ledToDisk;

  /// Joins the threads that want this committed.
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
    return ended;
  }

  /// Ends this. Makes no object: it must work where a lack of memory is why there is no commit.
  ///
  /// @param outcome the commit, or any other one if there is none
  /// @param cause why there is none, or null
  void end(Commit outcome, @Nullable Throwable cause) {
    commit = outcome;
    failure = cause;
    ended = true;
    applied.open();
  }

  /// Releases those that want the commit durable: it is, or could not be made so.
  void release() {
    released.open();
  }

  /// The commit, once it is applied.
  ///
  /// @throws RuntimeException what failed it
  Commit awaitApplied() {
    applied.await();
    return outcome();
  }

  /// The commit, once the leader has waited for the disk.
  ///
  /// @throws RuntimeException what failed it
  Commit awaitReleased() {
    released.await();
    return outcome();
  }

  /// The commit of a group that ended.
  Commit outcome() {
    if (!ended) {
      throw new IllegalStateException("group has not ended");
    }
    return switch (failure) {
      case null -> Objects.requireNonNull(commit);
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      case Throwable e -> throw new IllegalStateException("commit broke off", e);
    };
  }
}
