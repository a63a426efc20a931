package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.time.Duration;
import java.util.SplittableRandom;
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
}
