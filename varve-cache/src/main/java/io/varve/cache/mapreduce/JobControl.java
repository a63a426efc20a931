package io.varve.cache.mapreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The threads of a job, and whether they are to go on. Safe for threads.
final class JobControl {
  private final List<Thread> threads = new ArrayList<>(); // guarded by it

  /// What ended the job: a failure, or a cancel. Written once, under the lock of the threads,
  /// before they are interrupted; they read it at each pair.
  private volatile @Nullable Throwable end;

  /// Starts a thread.
  Thread start(String name, Runnable body) {
    Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(body);
    synchronized (threads) {
      thread.start();
      threads.add(thread);
      if (end != null) {
        thread.interrupt();
      }
    }
    return thread;
  }

  /// Ends the job, unless something else has: all its threads are interrupted.
  void fail(Throwable cause) {
    synchronized (threads) {
      if (end == null) {
        end = cause;
        threads.forEach(Thread::interrupt);
      }
    }
  }

  void cancel() {
    fail(new CancellationException("the job was cancelled"));
  }

  /// @throws CancellationException if the job is to end
  void requireGoingOn() {
    if (end != null) {
      throw new CancellationException("the job has failed or was cancelled");
    }
  }

  /// What ended the job, or null.
  @Nullable Throwable end() {
    return end;
  }
}
