package io.varve.grid.items;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Memory that all requests together may have for values of JSON. Those that find none wait, in the
/// order in which they came.
///
/// (BUDGET-1) What takes [#LARGE_BYTES] or more is worked on by a platform thread. It keeps a core
/// for seconds, and nothing takes that away from a virtual thread: all other requests waited. The
/// budget bounds how many of these threads there are.
final class MemoryBudget {
  private static final int UNIT = 1 << 10;

  static final long LARGE_BYTES = 4 << 20;

  private final int unitsMax;
  private final Semaphore units;

  MemoryBudget(long bytesMax) {
    this.unitsMax = (int) Math.min(Integer.MAX_VALUE, bytesMax / UNIT);
    this.units = new Semaphore(unitsMax, /* fair= */ true);
  }

  /// Whether one request may have so much.
  boolean allows(long bytes) {
    return bytes / UNIT < unitsMax;
  }

  /// Does something that takes so much memory, which is allowed, when it is free.
  <T> T use(long bytes, Supplier<T> work) {
    int taken = (int) (bytes / UNIT) + 1;
    units.acquireUninterruptibly(taken);
    try {
      return bytes < LARGE_BYTES ? work.get() : byPlatformThread(work); // BUDGET-1
    } finally {
      units.release(taken);
    }
  }

  private static <T> T byPlatformThread(Supplier<T> work) {
    var task = new FutureTask<>(work::get);
    Thread.ofPlatform().name("varve-items-large").daemon().start(task);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException _) {
          isInterrupted = true; // The work continues, and has its memory.
        } catch (ExecutionException e) {
          throw failure(e.getCause());
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException failure(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException refused ? refused : new IllegalStateException(cause);
  }
}
