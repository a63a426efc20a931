package io.varve.bench;

import io.varve.bench.engine.Promise;
import io.varve.bench.measure.Timing;
import io.varve.bench.table.Plan;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What of a table's plan the command line changes.
final class PlanOptions {
  private static final double NANOS_PER_SECOND = 1e9;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "Thread counts of the cells.")
  private @Nullable List<Integer> threads;

  @Option(
      names = "--batches",
      split = ",",
      paramLabel = "N",
      description = "Changes per commit, where the table varies them.")
  private @Nullable List<Integer> batches;

  @Option(names = "--seconds", paramLabel = "N", description = "Time measured per cell.")
  private @Nullable Double seconds;

  @Option(names = "--warm-up", paramLabel = "N", description = "Seconds to warm up each cell.")
  private @Nullable Double warmUp;

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Entries; for blobs, megabytes per cell; for recovery, of the largest store.")
  private @Nullable Integer size;

  @Option(names = "--cache", paramLabel = "MIB", description = "Budget for cached data.")
  private @Nullable Long cacheMebibytes;

  @Option(
      names = "--promise",
      description = "Promise of commits where the table leaves it open: ${COMPLETION-CANDIDATES}.")
  private @Nullable Promise promise;

  /// The plan of a table with these changes.
  Plan over(Plan defaults) {
    Timing timing = defaults.timing();
    return new Plan(
        Objects.requireNonNullElse(threads, defaults.threads()),
        Objects.requireNonNullElse(batches, defaults.batches()),
        Timing.seconds(
            Objects.requireNonNullElse(warmUp, timing.warmUpNanos() / NANOS_PER_SECOND),
            Objects.requireNonNullElse(seconds, timing.measuredNanos() / NANOS_PER_SECOND)),
        Objects.requireNonNullElse(size, defaults.size()),
        cacheMebibytes == null ? defaults.cacheBytes() : cacheMebibytes << 20,
        Objects.requireNonNullElse(promise, defaults.promise()));
  }

  /// The command line that makes `plan` of any other.
  static List<String> arguments(Plan plan) {
    return List.of(
        "--threads=" + joined(plan.threads()),
        "--batches=" + joined(plan.batches()),
        "--seconds=" + plan.timing().measuredNanos() / NANOS_PER_SECOND,
        "--warm-up=" + plan.timing().warmUpNanos() / NANOS_PER_SECOND,
        "--size=" + plan.size(),
        "--cache=" + (plan.cacheBytes() >> 20),
        "--promise=" + plan.promise());
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
