package io.varve.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Threads that run together, and whose failures count. Any thread may start one: one that was
/// started before [#join] is waited for.
final class Threads {
  private final List<Thread> threads = new ArrayList<>(); // guarded by this
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /// What a thread does.
  @FunctionalInterface
  interface Body {
    void run() throws Exception;
  }

  /// Starts a platform thread.
  Thread start(Body body) {
    return start(Thread.ofPlatform(), body);
  }

  /// Starts a platform thread with a stack of about that size.
  Thread start(long stackBytes, Body body) {
    return start(Thread.ofPlatform().stackSize(stackBytes), body);
  }

  /// Starts a virtual thread.
  Thread startVirtual(Body body) {
    return start(Thread.ofVirtual(), body);
  }

  private synchronized Thread start(Thread.Builder builder, Body body) {
    Thread thread =
        builder.start(() -> {
          try {
            body.run();
          } catch (Throwable e) {
            failures.add(e);
          }
        });
    threads.add(thread);
    return thread;
  }

  /// Whether a thread has failed; the others may as well end.
  boolean failed() {
    return !failures.isEmpty();
  }

  /// Those that were started, for one caller.
  private synchronized List<Thread> started() {
    List<Thread> started = List.copyOf(threads);
    threads.clear();
    return started;
  }

  /// Waits for all threads, and throws the first failure.
  void join() throws InterruptedException {
    for (Thread thread : started()) {
      thread.join();
    }
    Throwable first = failures.poll();
    if (first != null) {
      AssertionError error = new AssertionError("a thread failed: " + first, first);
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }
}
