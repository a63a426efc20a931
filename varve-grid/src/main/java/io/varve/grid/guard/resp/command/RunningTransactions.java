package io.varve.grid.guard.resp.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.infinispan.commons.util.concurrent.CompletionStages;
import org.jspecify.annotations.Nullable;

/// The transactions of RESP that this process carries out. Safe for threads.
///
/// - RUNNING-1 What is to come after them comes after those that run at that time. So it waits for
///   none that begins later, and some time there is none of them left.
/// - RUNNING-2 What is to come after the same transactions is carried out in the order in which it
///   came: one task after the other, and one for each subject.
final class RunningTransactions {
  private static final Object LOCK = new Object();

  /// The ends of those that run, by their numbers.
  private static final Map<Long, CompletableFuture<Void>> RUNNING = new LinkedHashMap<>(); // LOCK

  private static long number; // LOCK

  /// What is to come after all that run, until another one begins.
  private static @Nullable Batch open; // LOCK

  /// The end of the batches so far.
  private static CompletionStage<?> batches = CompletableFuture.completedFuture(null); // LOCK

  private RunningTransactions() {}

  private static final class Batch {
    private final Map<Object, Supplier<CompletionStage<Void>>> tasks = new LinkedHashMap<>();

    CompletionStage<Void> run() {
      List<Supplier<CompletionStage<Void>>> all;
      synchronized (LOCK) {
        if (this == open) {
          open = null;
        }
        all = List.copyOf(tasks.values());
      }
      return CompletionStages.performSequentially(all.iterator(), Supplier::get);
    }
  }

  /// Counts a transaction.
  ///
  /// @return what ends it
  static Runnable begin() {
    var ended = new CompletableFuture<Void>();
    long own;
    synchronized (LOCK) {
      own = ++number;
      RUNNING.put(own, ended);
      open = null;
    }
    return () -> {
      synchronized (LOCK) {
        RUNNING.remove(own);
      }
      ended.complete(null);
    };
  }

  /// Carries out a task when the transactions that run have ended, in this thread if there are
  /// none.
  ///
  /// @param subject for which one task is enough
  @SuppressWarnings("FutureReturnValueIgnored") // The task reports for itself.
  static void after(Object subject, Supplier<CompletionStage<Void>> task) {
    synchronized (LOCK) {
      if (!RUNNING.isEmpty()) {
        if (open == null) {
          open = batch();
        }
        open.tasks.putIfAbsent(subject, task);
        return;
      }
    }
    CompletionStage<Void> _ = task.get();
  }

  /// A batch after all that run, and after the batches so far. LOCK
  private static Batch batch() {
    var batch = new Batch();
    batches =
        CompletableFuture.allOf(RUNNING.values().toArray(CompletableFuture<?>[]::new))
            .thenCombine(batches, (_, _) -> batch)
            .thenCompose(Batch::run)
            .exceptionally(_ -> null); // The next batch comes all the same.
    return batch;
  }
}
