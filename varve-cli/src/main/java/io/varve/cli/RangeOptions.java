package io.varve.cli;

import io.varve.Range;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A range of keys. The options narrow one another.
final class RangeOptions {
  @Mixin final KeyOptions keys = new KeyOptions();

  @Option(
      names = {"-p", "--prefix"},
      paramLabel = "KEY",
      description = "Only keys that start so.")
  @Nullable String prefix;

  @Option(names = "--from", paramLabel = "KEY", description = "Only this key and those after it.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "KEY", description = "Only keys before this one.")
  @Nullable String to;

  boolean isGiven() {
    return prefix != null || from != null || to != null;
  }

  Range range() {
    Range range = Range.all();
    if (prefix != null) {
      range = range.intersect(Range.prefix(keys.key(prefix)));
    }
    if (from != null) {
      range = range.intersect(Range.atLeast(keys.key(from)));
    }
    if (to != null) {
      range = range.intersect(Range.lessThan(keys.key(to)));
    }
    return range;
  }
}
