package io.varve.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.time.Duration;
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
  private @Nullable ProgressBar bar;

  BarDisplay(PrintStream err, String task, ProgressUnit unit, long total) {
    this.err = err;
    this.task = task;
    this.unit = unit;
    this.total = total;
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
            .setConsumer(new LastLine(err))
            .clearDisplayOnFinish();
    if (total >= 0) {
      builder.showSpeed();
    }
    return builder.build();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      new LastLine(err).clear(); // The bar may have drawn itself once more after its own.
    }
  }

  /// The last line of the terminal. Of fixed width: asking for the real one takes native calls.
  private record LastLine(PrintStream err) implements ProgressBarConsumer {
    private static final int COLUMNS = 79;

    @Override
    public int getMaxRenderedLength() {
      return COLUMNS;
    }

    @Override
    public void accept(String line) {
      err.print("\r" + line);
      err.flush();
    }

    @Override
    public void clear() {
      err.print("\r" + " ".repeat(COLUMNS) + "\r");
      err.flush();
    }

    @Override
    public void close() {}
  }
}
