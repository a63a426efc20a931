package io.varve.cli.live;

import io.varve.cli.console.KeyText;
import io.varve.cli.console.Shutdown;
import io.varve.control.HolderFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/// Figures of a store on a screen of their own, which ends with `q` and leaves what was there.
public final class TopTerminal {
  /// How soon a key or a new size of the window is noticed.
  private static final long TICK_MILLIS = 100;

  private final Supplier<HolderFigures> figures;
  private final TopScreen screen;
  private final boolean isStyled;
  private final Size shown = new Size();
  private volatile boolean hasEnded;

  /// Makes one.
  ///
  /// @param isStyled whether the heading may look otherwise than the rest
  public TopTerminal(Supplier<HolderFigures> figures, Path store, boolean isStyled) {
    this.figures = figures;
    this.screen = new TopScreen(store);
    this.isStyled = isStyled;
  }

  /// Shows figures until the user ends it.
  public void run(Duration interval) throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().name("varve").system(true).build()) {
      run(terminal, interval);
    }
  }

  void run(Terminal terminal, Duration interval) throws IOException {
    terminal.handle(Signal.INT, _ -> hasEnded = true);
    Attributes before = terminal.enterRawMode();
    try (Shutdown.Hook _ = Shutdown.onSignal(() -> leave(terminal, before))) {
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      show(terminal, interval);
    } finally {
      leave(terminal, before);
    }
  }

  private static void leave(Terminal terminal, Attributes before) {
    terminal.puts(Capability.cursor_normal);
    terminal.puts(Capability.exit_ca_mode);
    terminal.flush();
    terminal.setAttributes(before);
  }

  private void show(Terminal terminal, Duration interval) throws IOException {
    var display = new Display(terminal, /* fullscreen= */ true);
    HolderFigures before = figures.get();
    HolderFigures now = before;
    long startNanos = System.nanoTime();
    Duration time = interval;
    draw(terminal, display, screen.lines(before, now, time));
    while (!isEnded(terminal)) {
      Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
      if (passed.compareTo(interval) >= 0) {
        before = now;
        now = figures.get();
        startNanos = System.nanoTime();
        time = passed;
      }
      draw(terminal, display, screen.lines(before, now, time));
    }
  }

  /// Waits a little for a key.
  private boolean isEnded(Terminal terminal) throws IOException {
    int key = terminal.reader().read(TICK_MILLIS);
    return hasEnded || key == 'q' || key == 'Q' || key == 3 || key == 4 || key == -1;
  }

  private void draw(Terminal terminal, Display display, List<String> lines) {
    Size size = terminal.getSize();
    int rows = Math.max(1, size.getRows());
    int columns = Math.max(1, size.getColumns());
    if (!size.equals(shown)) {
      display.resize(rows, columns);
      display.clear(); // the terminal has moved what was there
      shown.copy(size);
    }
    display.update(
        IntStream.range(0, Math.min(rows, lines.size()))
            .mapToObj(i -> line(lines.get(i), i, columns))
            .toList(),
        0);
  }

  /// A line that fits the window. Owners of snapshots are the names of threads.
  private AttributedString line(String text, int number, int columns) {
    var line =
        new AttributedString(
            KeyText.shown(text),
            number == 0 && isStyled ? AttributedStyle.BOLD : AttributedStyle.DEFAULT);
    return line.columnSubSequence(0, columns - 1);
  }
}
