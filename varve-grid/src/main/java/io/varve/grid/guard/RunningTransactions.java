package io.varve.grid.guard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/// The transactions of RESP that this process carries out. Safe for threads.
///
/// (RUNNING-1) What is to come after them comes after those that run at that time. So it waits for
/// none that begins later, and some time there is none of them left.
final class RunningTransactions {
  /// The ends of those that run, by their numbers.
  private static final ConcurrentMap<Long, CompletableFuture<Void>> RUNNING =
      new ConcurrentHashMap<>();

  private static final AtomicLong NUMBERS = new AtomicLong();

  private RunningTransactions() {}

  /// Counts a transaction.
  ///
  /// @return what ends it
  static Runnable begin() {
    var ended = new CompletableFuture<Void>();
    long number = NUMBERS.incrementAndGet();
    RUNNING.put(number, ended);
    return () -> {
      RUNNING.remove(number);
      ended.complete(null);
    };
  }

  /// Carries out a task when the transactions that run have ended, in this thread if there are
  /// none.
  @SuppressWarnings("FutureReturnValueIgnored") // The task reports for itself.
  static void after(Runnable task) {
    CompletableFuture<?>[] running = RUNNING.values().toArray(CompletableFuture<?>[]::new);
    if (running.length == 0) {
      task.run();
    } else {
      CompletableFuture.allOf(running).thenRun(task);
    }
  }
}
