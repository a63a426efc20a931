package io.varve.grid.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// A node that is asked to stop ends.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class StopBoundTest {
  private final AtomicBoolean ended = new AtomicBoolean();

  @Test
  void whatDoesNotStopIsEnded() {
    var never = new CountDownLatch(1);
    StopBound.run(() -> await(never), Duration.ofMillis(1), () -> ended.set(true));
    assertThat(ended).isTrue();
    never.countDown();
  }

  @Test
  void whatStopsIsWaitedFor() {
    var stopped = new AtomicBoolean();
    StopBound.run(() -> stopped.set(true), Duration.ofMinutes(1), () -> ended.set(true));
    assertThat(stopped).isTrue();
    assertThat(ended).isFalse();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
