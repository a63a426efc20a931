package io.varve.cli.console;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Shows how far a long piece of work is: nothing for the first two seconds, then a bar on a
/// terminal, or now and then a line where there is none. Only looks at a figure that the work
/// keeps, so it costs the work nothing.
public final class Progress implements AutoCloseable {
  private static final long QUIET_MILLIS = 2_000;
  private static final long TERMINAL_TICK_MILLIS = 200;
  private static final long LINE_TICK_MILLIS = 5_000;

  private final ScheduledExecutorService ticker;
  private final ProgressDisplay display;
  private final LongSupplier done;
  private final long startNanos = System.nanoTime();

  /// A message about a signal would follow the bar on its line, and the bar be drawn once more.
  private final Shutdown.Hook onSignal;

  private Progress(ProgressDisplay display, LongSupplier done, long tickMillis) {
    this.display = display;
    this.done = done;
    ticker =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("varve-progress").factory());
    var _ = ticker.scheduleAtFixedRate(this::tick, QUIET_MILLIS, tickMillis, TimeUnit.MILLISECONDS);
    onSignal = Shutdown.onSignal(this::end);
  }

  /// Begins to show `done` of `total`, both in units of `unit`.
  ///
  /// @param total how much there is to do, or -1 if it is unknown
  /// @param done read by another thread, now and then
  public static Progress start(
      Stdio stdio, String task, ProgressUnit unit, long total, LongSupplier done) {
    return stdio.errIsTerminal()
        ? new Progress(
            new BarDisplay(stdio.err(), task, unit, total, TerminalProbe::columnsOfErr),
            done,
            TERMINAL_TICK_MILLIS)
        : new Progress(new LineDisplay(stdio.err(), task, unit, total), done, LINE_TICK_MILLIS);
  }

  /// Begins to show that something is under way, and for how long.
  public static Progress start(Stdio stdio, String task) {
    return start(stdio, task, ProgressUnit.COUNT, -1, () -> 0);
  }

  private synchronized void tick() {
    if (ticker.isShutdown()) {
      return; // It may have waited for the close.
    }
    display.show(done.getAsLong(), Duration.ofNanos(System.nanoTime() - startNanos));
  }

  /// Removes the bar, if there is one. May be called by any thread, and more than once.
  @Override
  public void close() {
    onSignal.close();
    end();
  }

  private void end() {
    ticker.shutdownNow();
    synchronized (this) {
      display.close();
    }
  }
}
