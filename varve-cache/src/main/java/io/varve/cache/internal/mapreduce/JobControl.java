package io.varve.cache.internal.mapreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The threads of a job, and whether they are to continue. Safe for threads.
public final class JobControl {
  private final List<Thread> threads; // guarded by it
  private boolean isClosed; // guarded by the list

  /// What ended the job: a failure, or a cancel. Written once, under the lock of the threads,
  /// before they are interrupted; they read it at each pair.
  private volatile @Nullable Throwable end;

  /// Has slots for all threads together, so that none that has begun goes unnoted.
  public JobControl(int threadsMax) {
    this.threads = new ArrayList<>(threadsMax);
  }

  /// A thread of a job, not started yet.
  public static Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).unstarted(body);
  }

  /// Waits for a thread, even if this one is interrupted during that: it must not outlive the job.
  public static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Starts a thread.
  public void start(Thread thread) {
    synchronized (threads) {
      thread.start();
      threads.add(thread);
      if (end != null) {
        thread.interrupt();
      }
    }
  }

  /// Ends the job, unless something else has: all its threads are interrupted. It allocates
  /// nothing, since the cause may be that there is no memory.
  ///
  /// @return false if the job was closed before
  @SuppressWarnings("ForLoopReplaceableByForEach") // which takes an iterator
  public boolean fail(Throwable cause) {
    synchronized (threads) {
      if (end == null && !isClosed) {
        end = cause;
        for (int i = 0; i < threads.size(); i++) {
          threads.get(i).interrupt();
        }
      }
      return !isClosed;
    }
  }

  /// Ends the job as [#fail] does.
  public boolean cancel() {
    return fail(new CancellationException("the job was cancelled"));
  }

  /// Forgets the threads, all of which but the leader have ended. From now on nothing ends the job.
  public void close() {
    synchronized (threads) {
      isClosed = true;
      threads.clear();
    }
  }

  /// Returns if the job continues.
  ///
  /// @throws CancellationException if the job is to end
  public void requireRunning() {
    if (end != null) {
      throw new CancellationException("the job has failed or was cancelled");
    }
  }

  /// Throws what ended the job, if something has.
  public void throwEnd() {
    switch (end) {
      case null -> {}
      case RuntimeException cause -> throw cause;
      case Error cause -> throw cause;
      case Throwable cause -> throw new CompletionException(cause); // thrown past its declaration
    }
  }

  /// What ended the job, or null.
  @Nullable Throwable end() {
    return end;
  }
}
