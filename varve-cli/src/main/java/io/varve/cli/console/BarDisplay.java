package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/// Progress as a bar that is drawn over and over on the last line of a terminal.
final class BarDisplay implements ProgressDisplay {
  /// The bar draws itself when it is called, so its own clock may sleep.
  private static final int UPDATE_MILLIS = 1_000;

  private final PrintStream err;
  private final String task;
  private final ProgressUnit unit;
  private final long total;
  private final IntSupplier columns;
  private @Nullable ProgressBar bar;

  /// @param columns of the terminal, asked each time: its window may get another size
  BarDisplay(PrintStream err, String task, ProgressUnit unit, long total, IntSupplier columns) {
    this.err = err;
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.columns = columns;
  }

  @Override
  public void show(long done, Duration elapsed) {
    ProgressBar current = bar;
    if (current == null) {
      current = begin(elapsed);
      bar = current;
    }
    current.stepTo(done);
    current.refresh();
  }

  private ProgressBar begin(Duration elapsed) {
    ProgressBarBuilder builder =
        ProgressBar.builder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(unit.barName, unit.barSize)
            .setStyle(
                err.charset().equals(UTF_8)
                    ? ProgressBarStyle.UNICODE_BLOCK
                    : ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .startsFrom(0, elapsed)
            .setConsumer(new LastLine(err, columns))
            .clearDisplayOnFinish();
    if (total >= 0) {
      builder.showSpeed();
    }
    return builder.build();
  }

  @Override
  public void close() {
    ProgressBar last = bar;
    if (last != null) {
      bar = null; // What was printed since then stays, if this is called again.
      last.close();
      new LastLine(err, columns).clear(); // The bar may have drawn itself once more after its own.
    }
  }

  /// The last line of the terminal. One that is wider than the terminal would be continued on a
  /// second, and a new one added with each update. So it is a column shorter than the terminal.
  private record LastLine(PrintStream err, IntSupplier columns) implements ProgressBarConsumer {
    private static final int LENGTH_MAX = 79;

    @Override
    public int getMaxRenderedLength() {
      return Math.clamp(columns.getAsInt() - 1, 1, LENGTH_MAX);
    }

    @Override
    public void accept(String line) {
      err.print("\r" + line);
      err.flush();
    }

    @Override
    public void clear() {
      err.print("\r" + " ".repeat(getMaxRenderedLength()) + "\r");
      err.flush();
    }

    @Override
    public void close() {}
  }
}
