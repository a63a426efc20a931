package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Power cuts and process crashes at any call of the disk, under several committing threads, in
/// recovery and in close: what is found is a prefix of the commit order (D2) of whole commits (D1)
/// with all that was acknowledged (D3).
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashTest {
  @Test
  void shortHistoriesOfAllDurabilitiesKeepD1D2D3() {
    run(120, Workload.small(), 40);
  }

  @Test
  void strongHistoriesKeepD1D2D3() {
    run(30, Workload.small().durabilities(Durability.POWER_LOSS), 60);
  }

  @Test
  void weakHistoriesKeepD1D2D3() {
    run(30, Workload.small().durabilities(Durability.PROCESS_CRASH, Durability.BACKGROUND), 200);
  }

  /// Enough bytes for log segments to be switched and recycled, and for checkpoints to come by
  /// themselves.
  @Test
  void longHistoriesKeepD1D2D3() {
    run(6, Workload.small().keys(600, 50).valueBytesMax(200_000), 1200);
  }

  private static void run(int count, Workload workload, int commitsMax) {
    AtomicInteger crashes = new AtomicInteger();
    AtomicInteger commits = new AtomicInteger();
    Seeds.forEach(
        count,
        seed -> {
          CrashHistory history = new CrashHistory(seed, workload, commitsMax);
          history.run();
          crashes.addAndGet(history.crashes());
          commits.addAndGet(history.commits());
        });
    assertThat(crashes.get()).as("crashes met").isPositive();
    assertThat(commits.get()).as("commits that survived one").isPositive();
  }
}
