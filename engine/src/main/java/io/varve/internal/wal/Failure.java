package io.varve.internal.wal;

import io.varve.StoreFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Whether the log has failed, and of what. The first cause stays; nothing is retried after it.
///
/// (F1) The cause is visible before any listener runs, and listeners wake all who wait; so nobody
/// waits for a failed log, and no success that comes later acknowledges anything.
final class Failure {
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private final List<Runnable> listeners = new ArrayList<>(); // filled before the log is shared

  void onFailure(Runnable listener) {
    listeners.add(listener);
  }

  void fail(Throwable newCause) {
    if (cause.compareAndSet(null, newCause)) {
      listeners.forEach(Runnable::run);
    }
  }

  @Nullable Throwable cause() {
    return cause.get();
  }

  boolean isFailed() {
    return cause.get() != null;
  }

  void check() {
    Throwable failed = cause.get();
    if (failed != null) {
      throw exception(failed);
    }
  }

  static StoreFailedException exception(Throwable cause) {
    return new StoreFailedException(
        "the store takes no commits since it failed: cause="
            + cause
            + "; whether a commit under way is durable is known after a reopen: close and reopen"
            + " the store",
        cause);
  }
}
