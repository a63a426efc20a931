package io.varve.test;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// Waits until every virtual thread that a released monitor wakes has been handed to its scheduler.
///
/// The JDK does that on a thread of its own, some time after the release, in batches. So that a
/// simulation sees it at a fixed point, a thread of ours goes the same way after it: it blocks on a
/// monitor that another one of ours has, the monitor is released, and it is handed back. Within a
/// batch the order is unknown. But a second one can only be in a later batch than all that were
/// released before the first.
final class MonitorSettler {
  private final BlockingQueue<Runnable> handed = new LinkedBlockingQueue<>();

  void settle() {
    goTheWay();
    goTheWay();
  }

  @SuppressWarnings("ThreadPriorityCheck") // a stop, to be run again by the queue
  private void goTheWay() {
    Object monitor = new Object();
    start(() -> {
      synchronized (monitor) {
        Thread.yield();
      }
    });
    runNext(); // has the monitor, and comes back immediately
    start(() -> {
      synchronized (monitor) {
        return; // having it is all
      }
    });
    Runnable holder = next();
    runNext(); // blocks
    holder.run(); // releases
    runNext(); // what was handed over
  }

  private void start(Runnable body) {
    VirtualThreads.unstarted(handed::add, "settler", body).start();
  }

  private void runNext() {
    next().run();
  }

  private Runnable next() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return handed.take();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
