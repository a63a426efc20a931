package io.varve.grid.guard;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.ThreadGroups;

/// The threads on which caches continue after they have waited for a store or for other nodes.
///
/// - CONTINUE-1 No task waits for one certain thread: a thread that waits leaves what it was given
///   to the others. One more thread replaces it while it waits in a way that the pool sees, as for
///   a future or a condition. So what a thread waits for is carried out, if it is not one that
///   waits itself.
final class Continuations {
  /// Threads that run, as many as there are event loops by default.
  private static final int RUNNING = 2 * Runtime.getRuntime().availableProcessors();

  /// With those that wait. Beyond that, one that waits is not replaced.
  private static final int THREADS_MAX = RUNNING + 256;

  private static final long KEPT_SECONDS = 60;

  private static final long STOP_SECONDS_MAX = 2;

  private final ForkJoinPool pool =
      new ForkJoinPool(
          RUNNING,
          Worker::new,
          /* handler= */ null,
          /* asyncMode= */ true,
          /* corePoolSize= */ RUNNING,
          THREADS_MAX,
          /* minimumRunnable= */ 1,
          /* saturate= */ _ -> true,
          KEPT_SECONDS,
          TimeUnit.SECONDS);

  /// One of these. Infinispan knows by the group that it must not begin there what may block.
  private static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool) {
      super(ThreadGroups.NON_BLOCKING_GROUP, pool, /* preserveThreadLocals= */ true);
      setName("varve-continuation-" + threadId());
    }
  }

  void execute(Runnable task) {
    pool.execute(task);
  }

  /// Ends the threads, within a bound.
  void stop() {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
