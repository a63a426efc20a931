package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}
