package io.varve.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thread that was lost inside is found, and no other is taken for one (INSIDE-1).
@Timeout(60)
class InsidersTest {
  private final Insiders insiders = new Insiders();

  @Test
  void threadsThatEndedInsideAreFound() throws Exception {
    Thread platform = Thread.ofPlatform().start(insiders::enter);
    platform.join();
    assertThat(insiders.findLost()).isEqualTo(platform.toString());
  }

  @Test
  void virtualThreadsThatEndedInsideAreFound() throws Exception {
    Thread virtual = Thread.ofVirtual().start(insiders::enter);
    virtual.join();
    assertThat(insiders.findLost()).isEqualTo(virtual.toString());
  }

  /// The thread of a pool lives on after the task that was lost.
  @Test
  void threadsThatRunOtherCodeAreFound() throws Exception {
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Thread thread = pool.submit(Thread::currentThread).get();
      pool.submit(insiders::enter).get();
      Backoff.until(Clock.SYSTEM, () -> insiders.findLost() != null);
      assertThat(insiders.findLost()).isEqualTo(thread.toString());
    }
  }

  @Test
  void threadsThatEnterAgainWithoutHavingLeftAreFound() throws Exception {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              insiders.enter();
              insiders.enter();
              insiders.leave();
            });
    thread.join();
    assertThat(insiders.findLost()).isEqualTo(thread.toString());
  }

  /// It waits in the store then, as a slow thread would.
  @Test
  void threadsThatWaitForOthersWithoutHavingLeftAreFound() {
    insiders.enter();
    insiders.expectOutside();
    assertThat(insiders.findLost()).isEqualTo(Thread.currentThread().toString());
  }

  @Test
  void threadsThatAreSlowOrHaveLeftAreNotFound() throws Exception {
    for (Thread.Builder builder : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
      var entered = new CountDownLatch(1);
      var leave = new CountDownLatch(1);
      Thread thread =
          builder.start(() -> {
            insiders.enter();
            entered.countDown();
            awaitInside(leave);
            insiders.leave();
          });
      entered.await();
      assertThat(insiders.findLost()).isNull();
      leave.countDown();
      thread.join();
      assertThat(insiders.findLost()).isNull();
    }
  }

  private static void awaitInside(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
