package io.varve.cli.demo;

import io.varve.cli.console.Figures;
import io.varve.cli.console.Stdio;
import java.time.Duration;

/// What the user reads: titled steps with indented lines, each shown as soon as it is known.
record Report(Stdio stdio) {
  /// How long ago a reading of [System#nanoTime()] was.
  static String timeSince(long sinceNanos) {
    return Figures.time(Duration.ofNanos(System.nanoTime() - sinceNanos));
  }

  void title(String text) {
    stdio.println("");
    stdio.println(text);
    stdio.flush();
  }

  void say(String line) {
    stdio.println("   " + line);
    stdio.flush();
  }
}
