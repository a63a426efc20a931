package io.varve.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MockClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PolledTest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private final AtomicLong commits = new AtomicLong();

  /// A source that takes its time for its first answer.
  private long answer(String source) {
    long now = commits.incrementAndGet();
    if (now == 1) {
      asked.countDown();
      try {
        mayAnswer.await();
      } catch (InterruptedException e) {
        throw new AssertionError("no thread interrupts tests", e);
      }
    }
    return now;
  }

  /// Guards against an answer that comes late, and replaces a later one.
  @Test
  void countsOnlyRise() throws InterruptedException {
    Polled<String, Long> polled = new Polled<>(new MockClock(), this::answer);
    AtomicLong second = new AtomicLong();
    Thread slow = Thread.ofPlatform().start(() -> polled.count("source", Long::doubleValue));
    asked.await();
    Thread quick =
        Thread.ofPlatform()
            .start(() -> second.set((long) polled.count("source", Long::doubleValue)));
    while (quick.getState() != Thread.State.BLOCKED
        && quick.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    mayAnswer.countDown();
    slow.join();
    quick.join();
    assertThat(polled.count("source", Long::doubleValue)).isGreaterThanOrEqualTo(second.get());
  }
}
