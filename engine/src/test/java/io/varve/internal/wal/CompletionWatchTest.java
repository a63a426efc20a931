package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.StoreThreads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Completions end whatever one of them, a thread or the moment of the close does to the others.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompletionWatchTest {
  private final List<Thread> made = new CopyOnWriteArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void releaseAll() {
    release.countDown();
  }

  /// Threads of the system, of which the first are refused.
  private StoreThreads threads(int refused) {
    AtomicInteger left = new AtomicInteger(refused);
    return new StoreThreads() {
      @Override
      public Thread newThread(String name, Runnable work) {
        if (left.getAndDecrement() > 0) {
          throw new OutOfMemoryError("unable to create native thread");
        }
        Thread thread = StoreThreads.PLATFORM.newThread(name, work);
        made.add(thread);
        return thread;
      }

      @Override
      public boolean callerMayServe() {
        return true;
      }
    };
  }

  private static Waiter futures(List<CompletableFuture<Void>> futures) {
    Waiter stack = null;
    for (CompletableFuture<Void> future : futures.reversed()) {
      Waiter waiter = Waiter.ofFuture(future, 0);
      waiter.next = stack;
      stack = waiter;
    }
    return stack;
  }

  private static void complete(Waiter waiter) {
    CompletableFuture<Void> future = waiter.future;
    if (future != null) {
      future.complete(null);
    }
  }

  private static Completions ofOne(CompletableFuture<Void> future) {
    return new Completions(futures(List.of(future)), CompletionWatchTest::complete);
  }

  private void block() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// (COMPLETION-2) The thread ended with what one completion threw, and no later one was done.
  @Test
  void outlivesWhatOneCompletionThrows() {
    Completer completer = new Completer(threads(0), Clock.SYSTEM, null);
    var first = new CompletableFuture<@Nullable Void>();
    var second = new CompletableFuture<@Nullable Void>();
    completer.execute(
        new Completions(
            futures(List.of(first, second)),
            waiter -> {
              if (waiter.future == first) {
                throw new StackOverflowError("of this test");
              }
              complete(waiter);
            }));
    var third = new CompletableFuture<@Nullable Void>();
    completer.execute(ofOne(third));
    second.join();
    third.join();
    completer.close();
  }

  /// The refusal reached the thread that writes the log, and what was queued stayed there.
  @Test
  void completesWithoutThreads() {
    Completer completer = new Completer(threads(3), Clock.SYSTEM, null);
    for (int i = 0; i < 5; i++) {
      var future = new CompletableFuture<@Nullable Void>();
      assertThatCode(() -> completer.execute(ofOne(future))).doesNotThrowAnyException();
      future.join();
    }
    completer.close();
  }

  /// (WATCH-1) The watch had ended, and nobody gave the second future to another thread.
  @Test
  void watchesWhatBeginsAfterTheClose() throws InterruptedException {
    var handedOn = new LinkedBlockingQueue<Completions>();
    var watch = new CompletionWatch(threads(0), Clock.SYSTEM, () -> {}, handedOn::add);
    watch.runFirst(ofOne(new CompletableFuture<>()));
    watch.close();
    made.getFirst().join();
    var blocking = new CompletableFuture<@Nullable Void>();
    var _ = blocking.thenRun(this::block);
    var after = new CompletableFuture<@Nullable Void>();
    var task = new Completions(futures(List.of(blocking, after)), CompletionWatchTest::complete);
    Thread.ofVirtual().start(() -> watch.runFirst(task));
    handedOn.take().run();
    assertThat(after).isCompleted();
    made.getLast().join(); // it ends, though the first completion does not
  }

  /// A thread that keeps its flag set cannot park.
  @Test
  void dropsInterrupts() throws InterruptedException {
    var flags = new LinkedBlockingQueue<Boolean>();
    Clock clock =
        new Clock() {
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
            flags.add(Thread.currentThread().isInterrupted());
            SYSTEM.parkNanos(blocker, nanos);
          }
        };
    var watch = new CompletionWatch(threads(0), clock, () -> {}, _ -> {});
    watch.runFirst(ofOne(new CompletableFuture<>()));
    flags.take();
    made.getFirst().interrupt();
    flags.take(); // perhaps of before
    assertThat(flags.take()).isFalse();
    watch.close();
  }
}
