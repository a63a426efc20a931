package io.varve.grid.node;

import java.time.Duration;

/// Ends a process that is told to stop within a time, whatever it waits for. What was answered is
/// on disk by then, as after a kill: the next start recovers it.
public final class StopBound {
  /// Less than the 30 s that Kubernetes and others give a process before they kill it.
  public static final Duration MAX = Duration.ofSeconds(25);

  private static final System.Logger LOGGER = System.getLogger(StopBound.class.getName());

  private StopBound() {}

  /// Stops something, and ends the process if that takes too long.
  ///
  /// @param stop what stops
  /// @param max the time for it
  /// @param end ends the process
  public static void run(Runnable stop, Duration max, Runnable end) {
    Thread stopping = Thread.ofPlatform().daemon().name("varve-stop").start(stop);
    try {
      if (!stopping.join(max)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "the node does not stop in time, and ends as it is: seconds="
                + max.toSeconds()
                + "; the next start recovers what was answered");
        end.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
