package io.varve.internal.checkpoint;

import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A compaction that the thread of a commit without capacity waits for.
final class CompactionRequest {
  private final Clock clock;
  private final long deadlineNanos;
  private final BooleanSupplier isTight;
  private final Thread waiter = Thread.currentThread();
  private @Nullable VarveException failure; // written before `done`
  private volatile boolean done;

  /// @param isTight whether a checkpoint is needed before anything else moves
  CompactionRequest(Clock clock, long deadlineNanos, BooleanSupplier isTight) {
    this.clock = clock;
    this.deadlineNanos = deadlineNanos;
    this.isTight = isTight;
  }

  boolean isTight() {
    return isTight.getAsBoolean();
  }

  /// Whether its time is over.
  boolean isLate() {
    return clock.nanoTime() - deadlineNanos >= 0;
  }

  /// Ends it.
  ///
  /// @param cause what it broke off with, or null
  void end(@Nullable VarveException cause) {
    failure = cause;
    done = true;
    LockSupport.unpark(waiter);
  }

  boolean isDone() {
    return done;
  }

  /// @throws VarveException what it broke off with, if it has ended
  void requireSound() {
    VarveException cause = done ? failure : null;
    if (cause != null) {
      throw cause;
    }
  }
}
