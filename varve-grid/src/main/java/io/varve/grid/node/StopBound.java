package io.varve.grid.node;

import java.time.Duration;
import java.util.function.Predicate;

/// Ends a process that is asked to stop within a time, whatever it waits for. What was answered is
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
        warn(max);
        end.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Waits until something has stopped that others ask to stop, and ends the process if that takes
  /// too long: neither a close nor a hook of the JVM waits for the same once more.
  ///
  /// @param awaitStop waits until it is asked to stop, and then so long at most; returns whether it
  ///   has
  /// @param max the time for it
  /// @param end ends the process
  public static void await(Predicate<Duration> awaitStop, Duration max, Runnable end) {
    if (!awaitStop.test(max)) {
      LOGGER.log(System.Logger.Level.WARNING, "threads of the stop:\n" + ThreadDump.text());
      warn(max);
      end.run();
    }
  }

  private static void warn(Duration max) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "the node does not stop in time, and ends as it is: seconds="
            + max.toSeconds()
            + "; the next start recovers what was answered");
  }
}
