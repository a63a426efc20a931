package io.varve.internal.index;

import io.varve.internal.disk.StoreThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/// Work of a build that runs on another core, while its thread does something else (BUILD-6). That
/// thread waits for the end in any case.
final class SecondThread {
  private SecondThread() {}

  /// Begins some work.
  static <T> CompletableFuture<T> begin(StoreThreads threads, Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(
          work, task -> threads.newThread("varve-index", task).start());
    } catch (OutOfMemoryError _) { // the system has no more threads for this process
      return CompletableFuture.completedFuture(work.get());
    }
  }

  /// Waits for the result; what the work threw is thrown.
  static <T> T await(CompletableFuture<T> work) {
    try {
      return work.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /// Waits for the end, whether the work failed or not.
  static void finish(CompletableFuture<?> work) {
    work.handle((_, _) -> true).join();
  }
}
