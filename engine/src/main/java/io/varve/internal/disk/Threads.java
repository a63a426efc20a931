package io.varve.internal.disk;

/// Waiting for threads to end, whatever interrupts come.
public final class Threads {
  private Threads() {}

  /// Waits for the end of a thread, unless it is the calling one.
  ///
  /// @return whether an interrupt arrived meanwhile; its flag is cleared then
  public static boolean join(Thread thread) {
    boolean interrupted = false;
    while (!thread.equals(Thread.currentThread())) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
