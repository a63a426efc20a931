package io.varve.internal.disk;

/// Waits that concern the threads of the store, whatever interrupts come.
public final class Threads {
  private Threads() {}

  /// Waits for the end of a thread, unless it is the calling one. An interrupt does not end the
  /// wait, and is set again after it.
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (!thread.equals(Thread.currentThread())) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Parks a thread of the store's own until it is unparked or a time has passed. An interrupt, for
  /// which nobody has a reason, is dropped: the thread could not park again with its flag set.
  public static void park(Clock clock, Object blocker, long nanos) {
    clock.parkNanos(blocker, nanos);
    Thread.interrupted();
  }
}
