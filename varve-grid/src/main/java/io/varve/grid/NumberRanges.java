package io.varve.grid;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// The numbers that options of `serve` take. One that makes no sense is refused before anything of
/// the node is made: a bound below zero had every client wait, or none come in.
final class NumberRanges {
  /// Both bounds are allowed.
  record Range(long min, long max) {}

  private static final Range PORT = new Range(0, 65_535);

  /// Other nodes are heard at one higher by 50,000 as well.
  private static final Range NODE_PORT = new Range(1, 15_535);

  private static final Range COUNT = new Range(1, Integer.MAX_VALUE);

  /// In which 0 is no bound.
  private static final Range COUNT_OR_NONE = new Range(0, Integer.MAX_VALUE);

  private static final Range BYTES = new Range(1, Long.MAX_VALUE);

  /// Of one array, less what the server adds to it for headers.
  private static final Range REQUEST_BYTES = new Range(1, Integer.MAX_VALUE - (64L << 10));

  /// The least that a store takes.
  private static final Range PAGE_BYTES = new Range(1 << 20, Long.MAX_VALUE);

  private static final Map<String, Range> BY_OPTION =
      Map.ofEntries(
          Map.entry("--port", PORT),
          Map.entry("--resp-port", PORT),
          Map.entry("--memcached-port", PORT),
          Map.entry("--status-port", PORT),
          Map.entry("--value-max", REQUEST_BYTES),
          Map.entry("--entries", new Range(1, Long.MAX_VALUE)),
          Map.entry("--memory", BYTES),
          Map.entry("--pages", PAGE_BYTES),
          Map.entry("--connections", COUNT),
          Map.entry("--connections-per-address", COUNT),
          Map.entry("--failed-logins", COUNT_OR_NONE),
          Map.entry("--idle-after", COUNT_OR_NONE),
          Map.entry("--cluster-port", NODE_PORT),
          Map.entry("--owners", COUNT),
          Map.entry("--wait-for", COUNT),
          Map.entry("--failed-after", whoseMillisAreInt(TimeUnit.SECONDS)),
          Map.entry("--transfer-within", whoseMillisAreInt(TimeUnit.MINUTES)));

  private NumberRanges() {}

  private static Range whoseMillisAreInt(TimeUnit unit) {
    return new Range(1, Integer.MAX_VALUE / unit.toMillis(1));
  }

  /// Checks all options of a command that have a number.
  ///
  /// @throws ParameterException if one is out of its range, or has none
  static void check(CommandSpec command) {
    for (OptionSpec option : command.options()) {
      if (!(option.getValue() instanceof Number number)) {
        continue;
      }
      Range range = BY_OPTION.get(option.longestName());
      long value = number.longValue();
      if (range == null) {
        throw new IllegalStateException("no range: option=" + option.longestName());
      }
      if (value < range.min() || value > range.max()) {
        throw new ParameterException(
            command.commandLine(),
            option.longestName()
                + " is out of range: found="
                + value
                + ", min="
                + range.min()
                + ", max="
                + range.max());
      }
    }
  }
}
