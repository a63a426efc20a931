package io.varve.test.simulation;

import io.varve.test.SimulatedThreads;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What happened, line by line for a person who wants to read it, and always as part of the digest
/// of the threads.
final class Trace {
  private final SimulatedThreads threads;
  private final @Nullable Consumer<String> lines;

  Trace(SimulatedThreads threads, @Nullable Consumer<String> lines) {
    this.threads = threads;
    this.lines = lines;
  }

  /// Notes one event.
  void note(String what, Object... facts) {
    threads.note(what.hashCode());
    for (Object fact : facts) {
      threads.note(hash(fact));
    }
    if (lines != null) {
      lines.accept(
          String.format(
              Locale.ROOT,
              "%12.3f us  %-16s %s %s",
              threads.nanoTime() / 1e3,
              threads.currentName(),
              what,
              Arrays.toString(facts)));
    }
  }

  /// The same in every JVM, unlike the hash codes of many objects.
  private static long hash(Object fact) {
    return fact instanceof Number number ? number.longValue() : fact.toString().hashCode();
  }
}
