package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.store.StoreOpener;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An interrupt that meets a commit while it waits for capacity ends neither the wait nor the
/// commit, and its flag is set afterwards.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptedWaitTest {
  private static final long QUOTA = 16 << 20;
  private static final int VALUE_BYTES = 60_000;

  private final SimulatedDisk disk = new SimulatedDisk(1);

  /// What the thread of the test has waited for by the clock.
  private final Set<String> waits = new TreeSet<>();

  /// The system's clock, by which no thread waits without being interrupted.
  private final class InterruptingClock implements Clock {
    private final Thread interrupted = Thread.currentThread();

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
      return SYSTEM.currentTimeMillis();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      if (Thread.currentThread().equals(interrupted)) {
        waits.add(blocker.getClass().getSimpleName());
        interrupted.interrupt();
      }
      SYSTEM.parkNanos(blocker, nanos);
    }
  }

  private Store open() {
    StoreOptions options =
        StoreOptions.defaults().diskBytesMax(QUOTA).durability(Durability.BACKGROUND);
    return StoreOpener.open(disk.asDisk(), new InterruptingClock(), StoreThreads.PLATFORM, options);
  }

  private static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) number);
    return value;
  }

  /// @return how many values were taken
  private static int fill(Space space) {
    for (int i = 0; ; i++) {
      try {
        space.put(Bytes.of(i), value(i, VALUE_BYTES));
      } catch (StoreFullException e) {
        return i;
      }
    }
  }

  /// Of the values of a full store every other is deleted: what is free is in pieces too short for
  /// larger ones, which wait for a compaction. Taken or refused, they keep the flag.
  @Test
  void aCommitThatWaitsForACompactionKeepsTheFlag() {
    try (Store store = open()) {
      Space space = store.space("s");
      int count = fill(space);
      for (int i = 0; i < count; i += 2) {
        space.delete(Bytes.of(i));
      }
      Thread.interrupted();
      waits.clear();
      int taken = 0;
      for (int i = 0; i < count && !waits.contains("CompactionRequest"); i++) {
        Thread.currentThread().interrupt();
        try {
          space.put(Bytes.of(count + taken), value(taken, 3 * VALUE_BYTES));
          taken++;
        } catch (StoreFullException e) {
          assertThat(waits).as("waits before a refusal").contains("CompactionRequest");
        }
        assertThat(Thread.interrupted()).as("flag after put %d", i).isTrue();
      }
      assertThat(waits).contains("CompactionRequest");
      assertThat(space.count(Range.all())).isEqualTo(count / 2 + taken);
      for (int i = 0; i < taken; i++) {
        assertThat(space.get(Bytes.of(count + i))).isEqualTo(value(i, 3 * VALUE_BYTES));
      }
      space.delete(Bytes.of(1));
      store.verify().requireSound();
    }
  }

  /// The deletes of a full store are what makes capacity: they wait for checkpoints.
  @Test
  void aCommitThatWaitsForCheckpointsKeepsTheFlag() {
    try (Store store = open()) {
      Space space = store.space("s");
      int count = fill(space);
      long checkpoints = store.statistics().checkpoints().count();
      Thread.currentThread().interrupt();
      space.deleteRange(Range.all());
      assertThat(Thread.interrupted()).isTrue();
      Thread.currentThread().interrupt();
      for (int i = 0; i < count / 2; i++) {
        space.put(Bytes.of(i), value(i, VALUE_BYTES));
      }
      assertThat(Thread.interrupted()).isTrue();
      assertThat(store.statistics().checkpoints().count()).isGreaterThan(checkpoints);
      store.verify().requireSound();
    }
  }
}
