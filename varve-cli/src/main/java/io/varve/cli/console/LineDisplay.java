package io.varve.cli.console;

import java.io.PrintStream;
import java.time.Duration;

/// Progress as plain lines, for logs and pipes.
final class LineDisplay implements ProgressDisplay {
  private final PrintStream err;
  private final String task;
  private final ProgressUnit unit;
  private final long total;

  LineDisplay(PrintStream err, String task, ProgressUnit unit, long total) {
    this.err = err;
    this.task = task;
    this.unit = unit;
    this.total = total;
  }

  @Override
  public void show(long done, Duration elapsed) {
    err.println(task + ": " + state(done, elapsed));
  }

  private String state(long done, Duration elapsed) {
    String time = elapsed.toSeconds() + " s";
    if (done == 0) {
      return time;
    }
    String rate = time + ", " + unit.rate(done, elapsed);
    return total < 0
        ? unit.amount(done) + ", " + rate
        : Figures.percent(done, total)
            + " of "
            + unit.amount(total)
            + ", "
            + rate
            + ", "
            + left(done, elapsed)
            + " s left";
  }

  /// Seconds until the end, if the rest is as fast as what is done.
  private long left(long done, Duration elapsed) {
    return Math.round(elapsed.toMillis() / 1e3 * Math.max(0, total - done) / done);
  }

  @Override
  public void close() {}
}
