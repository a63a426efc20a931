package io.varve.internal.wal.segment;

import io.varve.StoreFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Whether the log has failed, and of what. The first cause stays; nothing is retried after it.
///
/// - (F1) The cause is visible before any listener runs, and listeners wake all waiting threads. So
///   no thread waits for a failed log, and no later success acknowledges anything.
/// - (FAILURE-2) To fail makes no object and leaves no listener out. It must work where a lack of
///   memory or of stack is the cause. A thread that finds listeners left over runs them again.
/// - (FAILURE-3) No caller receives the failure while a commit can still be reserved. The thread
///   that fails the log may stop before it runs the listeners. So the thread that reports the
///   failure shuts the log as well.
public final class Failure {
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private final List<Runnable> listeners = new ArrayList<>(); // filled before the log is shared
  private final Runnable shut;

  /// Whether a listener broke off, so that not all waiting threads were woken.
  private volatile boolean listenersLeft;

  /// @param shut lets nobody reserve any more; may be run more than once
  public Failure(Runnable shut) {
    this.shut = shut;
    onFailure(shut);
  }

  public void onFailure(Runnable listener) {
    listeners.add(listener);
  }

  public void fail(Throwable newCause) {
    if (cause.compareAndSet(null, newCause)) {
      listenersLeft = true;
      runListeners();
    }
  }

  /// Runs every listener, whatever another throws. They may be run again.
  private void runListeners() {
    boolean allRan = true;
    for (int i = 0; i < listeners.size(); i++) {
      try {
        listeners.get(i).run();
      } catch (Throwable _) {
        allRan = false; // the store fails of what came first; this one runs again (FAILURE-2)
      }
    }
    if (allRan) {
      listenersLeft = false;
    }
  }

  public @Nullable Throwable cause() {
    return cause.get();
  }

  public boolean isFailed() {
    return cause.get() != null;
  }

  public void check() {
    Throwable failed = cause.get();
    if (failed != null) {
      if (listenersLeft) {
        runListeners();
      }
      throw exception(failed);
    }
  }

  /// Fails the log for memory that maps a file of it, and cannot be read or written: something has
  /// truncated the file, or its device fails.
  ///
  /// @return the exception for the caller
  public StoreFailedException failedBy(InternalError fault) {
    fail(fault);
    return exception(fault);
  }

  /// The exception for a caller (FAILURE-3).
  public StoreFailedException exception(Throwable cause) {
    shut.run();
    return new StoreFailedException(
        "the store takes no commits since it failed: cause="
            + cause
            + "; whether a commit under way is durable is known after a reopen: close and reopen"
            + " the store",
        cause);
  }
}
