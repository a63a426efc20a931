package io.varve.cli;

import io.varve.cli.console.CommandException;
import java.time.Duration;
import picocli.CommandLine.Option;

/// How often figures are looked at, and for how long.
final class WatchOptions {
  private static final double SECONDS_MAX = 86_400;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "Time between two looks. Default: 1.")
  double intervalSeconds = 1;

  @Option(names = "--times", paramLabel = "COUNT", description = "End after so many lines.")
  long times = Long.MAX_VALUE;

  /// @throws CommandException if one is out of range
  void check() {
    if (!(intervalSeconds > 0 && intervalSeconds <= SECONDS_MAX)) {
      throw CommandException.usage(
          "--interval must be above 0, and a day at most: " + intervalSeconds);
    }
    if (times < 0) {
      throw CommandException.usage("--times is negative: times=" + times + "; give 0 or more");
    }
  }

  Duration interval() {
    return Duration.ofNanos(Math.round(intervalSeconds * 1e9));
  }

  boolean isCounted() {
    return times != Long.MAX_VALUE;
  }
}
