package io.varve.control.internal;

import io.varve.Snapshot;
import io.varve.Store;
import io.varve.control.ControlException;
import io.varve.control.ControlException.Reason;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Ends a session that takes too long, whatever it waits for: first its snapshot is closed, so that
/// its reads fail, and a little later its connection, so that its writes do. The timer calls this,
/// and waits for nothing.
final class Deadline implements AutoCloseable {
  private final Bounds bounds;
  private final Closeable connection;
  private final Future<?> first;
  private final Future<?> second;

  /// Guarded by this.
  private @Nullable Snapshot snapshot;

  /// Guarded by this.
  private boolean isOver;

  Deadline(Bounds bounds, ScheduledExecutorService timer, Closeable connection) {
    this.bounds = bounds;
    this.connection = connection;
    Duration answer = bounds.answerTime();
    first = timer.schedule(this::expire, answer.toNanos(), TimeUnit.NANOSECONDS);
    second =
        timer.schedule(
            this::disconnect, answer.plus(bounds.farewellTime()).toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Takes the one snapshot of the session.
  synchronized Snapshot snapshot(Store store) {
    check();
    Snapshot taken = store.snapshot();
    snapshot = taken;
    return taken;
  }

  /// @throws ControlException if the time is over
  synchronized void check() {
    if (isOver) {
      throw new ControlException(
          Reason.TOO_LONG,
          "the answer takes longer than the process that holds the store allows: millis="
              + bounds.answerTime().toMillis()
              + "; ask for less, as by --prefix or --limit");
    }
  }

  private synchronized void expire() {
    isOver = true;
    release();
  }

  private void disconnect() {
    try {
      connection.close();
    } catch (IOException _) {
      // Nothing is left that could be done about it; the session ends by itself.
    }
  }

  private void release() {
    Snapshot held = snapshot;
    snapshot = null;
    if (held != null) {
      held.close();
    }
  }

  @Override
  public void close() {
    first.cancel(false);
    second.cancel(false);
    synchronized (this) {
      release();
    }
  }
}
