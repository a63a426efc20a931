package io.varve.cli.live;

import io.varve.Statistics;
import io.varve.cli.console.CommandException;
import io.varve.cli.console.Figures;
import io.varve.cli.console.Stdio;
import java.time.Duration;
import java.util.function.Supplier;

/// Prints a line of figures after each interval.
public final class Watcher {
  private static final String HEADER =
      "  commits/s   forces/s       log/s   p99 force   page loads/s      dirty      cache";

  private final Supplier<Statistics> figures;
  private final Stdio stdio;
  private final boolean json;

  /// Makes a watcher.
  ///
  /// @param json whether lines are all figures as JSON in place of a few as columns
  public Watcher(Supplier<Statistics> figures, Stdio stdio, boolean json) {
    this.figures = figures;
    this.stdio = stdio;
    this.json = json;
  }

  /// Prints so many lines.
  public void print(Duration interval, long times) {
    if (!json) {
      stdio.println(HEADER);
    }
    Statistics before = figures.get();
    long startNanos = System.nanoTime();
    for (long line = 0; line < times; line++) {
      pause(interval);
      Statistics now = figures.get();
      long nowNanos = System.nanoTime();
      stdio.println(
          json
              ? FiguresJson.line(now)
              : columns(new Interval(before, now, Duration.ofNanos(nowNanos - startNanos))));
      stdio.flush();
      before = now;
      startNanos = nowNanos;
    }
  }

  private static void pause(Duration interval) {
    try {
      Thread.sleep(interval);
    } catch (InterruptedException e) {
      throw CommandException.interrupted();
    }
  }

  private static String columns(Interval interval) {
    return String.format(
        "%11s%11s%12s%12s%15s%11s%11s",
        interval.rate(of -> of.commits().applied()),
        interval.rate(of -> of.log().forces()),
        interval.byteRate(of -> of.log().appendedBytes()),
        interval.forceTime(0.99),
        interval.rate(of -> of.cache().loads()),
        Figures.bytes(interval.now().cache().dirtyBytes()),
        Figures.bytes(interval.now().cache().usedBytes()));
  }
}
