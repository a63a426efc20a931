package io.varve.grid.guard.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// What carries out requests of HTTP: in order, and seen where it does not.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class RequestThreadsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final RequestThreads threads = new RequestThreads("test", 2, nanos::get);

  @AfterEach
  void stop() {
    threads.stop();
    assertThat(threads.takeRequests()).isFalse();
  }

  /// REQUEST-1
  @Test
  void requestsOfAConnectionAreInOrder() {
    EventExecutor connection = threads.group().next();
    List<Integer> done = new ArrayList<>(); // by one thread at a time
    CompletableFuture<Void> last = new CompletableFuture<>();
    for (int at = 0; at < 1_000; at++) {
      int number = at;
      connection.execute(() -> done.add(number));
    }
    connection.execute(() -> last.complete(null));
    last.join();
    assertThat(done).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
  }

  /// REQUEST-1: other connections do not wait for one whose request does.
  @Test
  void aRequestThatWaitsHoldsUpItsConnectionAlone() {
    var released = new CountDownLatch(1);
    threads.group().next().execute(() -> await(released));
    for (int connection = 0; connection < 10; connection++) {
      CompletableFuture.runAsync(() -> {}, threads.group().next()).join();
    }
    released.countDown();
  }

  @Test
  void threadsThatAllWaitAreSeenAfterAMinute() {
    assertThat(threads.takeRequests()).isTrue();
    var released = new CountDownLatch(1);
    var taken = new CountDownLatch(2);
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    for (int connection = 0; connection < 2; connection++) {
      waits.add(
          CompletableFuture.runAsync(
              () -> {
                taken.countDown();
                await(released);
              },
              threads.group().next()));
    }
    await(taken); // so that what was asked before is done as well
    assertThat(threads.takeRequests()).isTrue();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(threads.takeRequests()).isTrue();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(threads.takeRequests()).isFalse();
    released.countDown();
    waits.forEach(CompletableFuture::join);
    CompletableFuture.runAsync(() -> {}, threads.group().next()).join(); // after what was asked
    assertThat(threads.takeRequests()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
