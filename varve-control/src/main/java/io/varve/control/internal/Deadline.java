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
  private final ScheduledExecutorService timer;

  /// Guarded by this.
  private Future<?> first;

  /// Guarded by this.
  private Future<?> second;

  /// Guarded by this.
  private @Nullable Snapshot snapshot;

  /// Guarded by this.
  private boolean isOver;

  Deadline(Bounds bounds, ScheduledExecutorService timer, Closeable connection) {
    this.bounds = bounds;
    this.connection = connection;
    this.timer = timer;
    first = after(bounds.answerTime(), this::expire);
    second = after(bounds.answerTime().plus(bounds.farewellTime()), this::disconnect);
  }

  private Future<?> after(Duration time, Runnable work) {
    return timer.schedule(work, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Releases the snapshot, and lets the session wait for as long as it likes: until [#resume],
  /// nothing is owed to the client.
  ///
  /// @throws ControlException if the time is over
  synchronized void suspend() {
    check();
    first.cancel(false);
    second.cancel(false);
    release();
  }

  /// Gives the session its whole time again.
  synchronized void resume() {
    first = after(bounds.answerTime(), this::expire);
    second = after(bounds.answerTime().plus(bounds.farewellTime()), this::disconnect);
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
      // Nothing is left that could be done about it; the session ends automatically.
    }
  }

  /// With this locked.
  private void release() {
    Snapshot held = snapshot;
    snapshot = null;
    if (held != null) {
      held.close();
    }
  }

  @Override
  public synchronized void close() {
    first.cancel(false);
    second.cancel(false);
    release();
  }
}
