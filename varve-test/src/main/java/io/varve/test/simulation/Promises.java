package io.varve.test.simulation;

import io.varve.Durability;
import io.varve.test.Crash;
import java.util.ArrayList;
import java.util.List;

/// Up to which LSN the commits of a store must survive, by what it acknowledged.
final class Promises {
  /// How much later than after the flush interval a weak commit may become durable: some forces of
  /// the simulated device, and turns of many threads, of which some get few.
  private static final long FLUSH_SLACK_NANOS = 150_000_000;

  private record Weak(long lsn, long nanos) {}

  private long powerLsn;
  private long processLsn;
  private final List<Weak> weak = new ArrayList<>();

  /// A commit was acknowledged.
  void acknowledged(long lsn, Durability durability, long nanos) {
    switch (durability) {
      case POWER_LOSS -> durable(lsn);
      case PROCESS_CRASH -> {
        processLsn = Math.max(processLsn, lsn);
        weak.add(new Weak(lsn, nanos));
      }
      case BACKGROUND -> weak.add(new Weak(lsn, nanos));
      case NONE -> throw new IllegalStateException("a store on disk gives no commit of NONE");
    }
  }

  /// All commits up to this one would survive a loss of power.
  void durable(long lsn) {
    powerLsn = Math.max(powerLsn, lsn);
    processLsn = Math.max(processLsn, lsn);
  }

  /// All weak commits that are old enough at a crash must survive it.
  ///
  /// @param flushIntervalNanos how old that is
  void age(long nowNanos, long flushIntervalNanos) {
    for (Weak commit : weak) {
      if (commit.nanos + flushIntervalNanos + FLUSH_SLACK_NANOS < nowNanos) {
        durable(commit.lsn);
      }
    }
  }

  /// The LSN up to which commits must survive what happened.
  long leastLsn(Crash crash) {
    return switch (crash) {
      case CLEAN_CLOSE, PROCESS -> processLsn;
      case POWER -> powerLsn;
    };
  }

  /// A recovery ended up here: what it showed must not go away again, and the rest is gone.
  void settle(long lsn) {
    powerLsn = lsn;
    processLsn = lsn;
    weak.clear();
  }
}
