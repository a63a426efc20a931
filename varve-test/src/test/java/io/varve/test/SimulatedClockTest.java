package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.CommitGrouping;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SimulatedClockTest {
  private final SimulatedClock clock = new SimulatedClock();

  @Test
  void standsStillUntilMoved() {
    long nanos = clock.asClock().nanoTime();
    long millis = clock.asClock().currentTimeMillis();
    assertThat(clock.asClock().nanoTime()).isEqualTo(nanos);
    clock.advance(Duration.ofSeconds(3));
    assertThat(clock.asClock().nanoTime() - nanos).isEqualTo(3_000_000_000L);
    assertThat(clock.asClock().currentTimeMillis() - millis).isEqualTo(3_000);
  }

  @Test
  void wakesSleepersWhenTheirTimeHasCome() throws InterruptedException {
    Thread sleeper =
        Thread.ofPlatform()
            .start(() -> {
              while (clock.asClock().nanoTime() < 1_000_000) {
                clock.asClock().parkNanos(this, 1_000_000);
              }
            });
    while (clock.sleeperCount() == 0) {
      Thread.onSpinWait();
    }
    clock.advance(Duration.ofNanos(999_999));
    assertThat(sleeper.isAlive()).isTrue();
    clock.advance(Duration.ofNanos(1));
    sleeper.join();
    assertThat(clock.sleeperCount()).isZero();
  }

  @Test
  void doesNotSleepForNoTime() {
    clock.asClock().parkNanos(this, 0);
    clock.asClock().parkNanos(this, -1);
  }

  /// A thread that writes faster than pages are written is slowed. By this clock that had no end:
  /// the thread was the one that moves it.
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void doesNotHoldTheWriterThatWouldMoveIt() {
    StoreOptions options =
        StoreOptions.defaults().cacheBytes(2 << 20).durability(Durability.BACKGROUND);
    var random = new SplittableRandom(7);
    byte[] value = new byte[1_000];
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), clock, options)) {
      Space space = store.space("s");
      for (int i = 0; i < 20_000; i++) {
        space.put(Bytes.of(random.nextInt()), value);
      }
      store.compact();
      assertThat(store.statistics().commits().throttledNanos()).isZero();
      store.verify().requireSound();
    }
  }

  /// A commit that waits for others to share its force waited by this clock, and so for the thread
  /// that waits.
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void doesNotHoldACommitThatWaitsForOthers() {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.POWER_LOSS)
            .log(log ->
                log.commitGrouping(
                    new CommitGrouping.Cooperative(/* limit= */ 8, Duration.ofMillis(1))));
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), clock, options)) {
      store.space("s").put(Bytes.of(1), Bytes.of(2));
      assertThat(store.space("s").get(Bytes.of(1))).isEqualTo(Bytes.of(2));
      store.verify().requireSound();
    }
  }

  /// The next try of a checkpoint that met a full disk was by this clock. A commit that waited for
  /// it, since the log was at its cap, held the thread that moves the clock.
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void doesNotHoldACommitThatWaitsForACheckpointAfterAFullDisk() {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .log(log -> log.bytesMax(16 << 20));
    SimulatedDisk disk = new SimulatedDisk(1);
    AtomicInteger faults = new AtomicInteger();
    byte[] value = new byte[1_000];
    int count = 20_000; // more than the log may have
    try (Store store = SimulatedStore.open(disk, clock, options)) {
      disk.faults(call ->
          call.operation() == DiskOperation.WRITE
                  && call.name().equals("pages")
                  && Thread.currentThread().getName().equals("varve-checkpoint")
                  && faults.get() < 3
                  && faults.incrementAndGet() > 0
              ? Fault.DISK_FULL
              : Fault.NONE);
      Space space = store.space("s");
      int i = 0;
      while (i < count) {
        try {
          space.put(Bytes.of(i), value);
          i++;
        } catch (StoreFullException _) {
          // the disk has capacity for the next try
        }
      }
      assertThat(faults).hasPositiveValue();
      assertThat(space.count(Range.all())).isEqualTo(count);
      store.verify().requireSound();
    }
  }
}
