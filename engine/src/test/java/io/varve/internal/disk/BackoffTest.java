package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A wait that set the interrupt flag again after each sleep would leave a permit to the next one.
/// So it would keep its core, or carrier, from the thread that it waits for (BACKOFF-1).
class BackoffTest {
  private static final int SLEEPS = 5;
  private static final long NANOS = 2_000_000;

  private final AtomicInteger sleeps = new AtomicInteger();
  private final AtomicInteger earlyReturns = new AtomicInteger();

  /// Counts the sleeps that are over before their time.
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
          sleeps.incrementAndGet();
          long started = System.nanoTime();
          LockSupport.parkNanos(blocker, NANOS);
          if (System.nanoTime() - started < NANOS) {
            earlyReturns.incrementAndGet();
          }
        }
      };

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void interruptedWaiterSleeps(boolean virtual) throws InterruptedException {
    AtomicBoolean stillSet = new AtomicBoolean();
    run(
        virtual,
        () -> {
          Thread.currentThread().interrupt();
          Backoff.until(clock, () -> sleeps.get() == SLEEPS);
          stillSet.set(Thread.interrupted());
        });
    assertThat(earlyReturns).as("the permit that the interrupt left").hasValueLessThanOrEqualTo(1);
    assertThat(stillSet).as("interrupt flag after the wait").isTrue();
  }

  @Test
  void interruptedSleeperSleepsInFull() {
    long started = System.nanoTime();
    Thread.currentThread().interrupt();
    Clock.SYSTEM.delay(this, NANOS);
    assertThat(Thread.interrupted()).as("interrupt flag after the sleep").isTrue();
    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(NANOS);
  }

  @Test
  void flagIsSetAgainWhenTheWaitFails() {
    Thread.currentThread().interrupt();
    try {
      Backoff.until(
          clock,
          () -> {
            if (sleeps.get() == 1) {
              throw new IllegalStateException("over");
            }
            return false;
          });
    } catch (IllegalStateException _) {
      // what ends the wait
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  private static void run(boolean virtual, Runnable body) throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    Runnable work =
        () -> {
          body.run();
          done.set(true);
        };
    Thread thread = virtual ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work);
    thread.join();
    assertThat(done).isTrue();
  }
}
