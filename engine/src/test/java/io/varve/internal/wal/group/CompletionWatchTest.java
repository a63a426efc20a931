package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import io.varve.StoreFailedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.wal.Commits;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.LogRecovery;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Completions end whatever one of them, a thread or the time of the close does to the others.
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

  /// Threads of the system, except those that meet an error.
  private static StoreThreads failing(Function<String, @Nullable Error> errors) {
    return new StoreThreads() {
      @Override
      public Thread newThread(String name, Runnable work) {
        Error error = errors.apply(name);
        if (error != null) {
          throw error;
        }
        return StoreThreads.PLATFORM.newThread(name, work);
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

  /// What the watch met ended the completer's thread.
  @Test
  void completesWhereTheWatchCannotStart() {
    StoreThreads threads =
        failing(name -> name.endsWith("watch") ? new StackOverflowError("of this test") : null);
    Completer completer = new Completer(threads, Clock.SYSTEM, null);
    for (int i = 0; i < 3; i++) {
      var future = new CompletableFuture<@Nullable Void>();
      completer.execute(ofOne(future));
      future.join();
    }
    completer.close();
  }

  /// (HANDOVER-1) What met an error in flight to the completer was never completed: it had been
  /// taken from its batch.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void completesWhatCouldNotBeHandedOn(boolean fails) throws Exception {
    var broken = new AtomicInteger();
    StoreThreads threads =
        failing(name ->
            name.endsWith("completer") && broken.getAndIncrement() < 2
                ? new StackOverflowError("of this test")
                : null);
    var disk = new HookedDisk();
    LogRecovery recovery =
        LogRecovery.find(
            disk,
            LogSettings.defaults().ringBytes(1 << 16).segmentBytes(1 << 16).threads(threads),
            new StoreId(1, 2),
            LogPosition.ORIGIN);
    recovery.replay(new Commits());
    Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN);
    log.awaitCapacity(100);
    long lsn = fails ? log.endOf(log.tryReserve(100), 100) : Commits.append(log, 1, 100);
    CompletableFuture<Void> future = log.whenDurable(lsn, Durability.POWER_LOSS);
    if (fails) {
      log.fail(new IllegalStateException("of this test"));
      assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreFailedException.class);
    } else {
      future.get(20, TimeUnit.SECONDS);
      assertThat(log.failure()).isNull();
    }
    assertThat(broken).hasValueGreaterThan(2);
    log.close();
  }

  /// (HANDOVER-1) A future whose failure met a lack of memory, too, was never completed.
  @Test
  void failsWhatCouldNotBeFailed() {
    var refused = new AtomicInteger(3);
    var future =
        new CompletableFuture<Void>() {
          @Override
          public boolean completeExceptionally(Throwable cause) {
            if (refused.getAndDecrement() > 0) {
              throw new OutOfMemoryError("of this test");
            }
            return super.completeExceptionally(cause);
          }
        };
    var asked = new LinkedBlockingQueue<Integer>();
    Completer completer = new Completer(StoreThreads.PLATFORM, Clock.SYSTEM, null);
    var handover =
        new FutureHandover(
            completer,
            (_, _) -> {
              throw new OutOfMemoryError("of this test");
            },
            () -> asked.add(1));
    handover.complete(Waiter.ofFuture(future, 0));
    while (!future.isDone()) {
      if (asked.poll() != null) {
        handover.tryAgain();
      }
      Thread.onSpinWait();
    }
    assertThatThrownBy(future::join).hasCauseInstanceOf(OutOfMemoryError.class);
    completer.close();
  }

  /// (WATCH-1) The watch had ended, and no thread gave the second future to another thread.
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
