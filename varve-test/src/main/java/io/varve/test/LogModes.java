package io.varve.test;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.LogIo;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;

/// Ways to write the log, for tests that are to pass in each of them.
public final class LogModes {
  private static final int COMMITS_MAX = 4;
  private static final int DELAY_MICROS_MAX = 2_000;

  private LogModes() {}

  /// The options, with a way to write the log that chance picks.
  public static StoreOptions random(SplittableRandom random, StoreOptions options) {
    LogIo[] io = LogIo.values();
    CommitWait[] waits = CommitWait.values();
    return options.log(log ->
        log.io(io[random.nextInt(io.length)])
            .commitGrouping(grouping(random))
            .commitWait(waits[random.nextInt(waits.length)]));
  }

  private static CommitGrouping grouping(SplittableRandom random) {
    int many = 1 + random.nextInt(COMMITS_MAX);
    return switch (random.nextInt(4)) {
      case 0 -> new CommitGrouping.Each();
      case 1 -> new CommitGrouping.Flusher(many);
      case 2 -> {
        Duration delay = Duration.ofNanos(1000L * random.nextInt(DELAY_MICROS_MAX));
        yield new CommitGrouping.Cooperative(many, delay);
      }
      default -> new CommitGrouping.Adaptive();
    };
  }
}
