package io.varve.grid.guard.connection;

import java.util.concurrent.TimeUnit;

/// A log of what clients do wrong: one line for a cause and a peer in a while, with the number of
/// those that were left out. So no client fills a disk by asking.
public final class RareLog {
  private static final System.Logger LOGGER = System.getLogger(RareLog.class.getName());
  private final RareLines lines = new RareLines(TimeUnit.SECONDS.toNanos(10), 1);

  /// Writes a line, or counts it.
  ///
  /// @param cause a constant text
  /// @param advice what to do
  public void warn(String cause, String peer, String advice) {
    long leftOut = lines.admit(cause + peer, System.nanoTime());
    if (leftOut >= 0) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          cause + ": peer=" + peer + ", leftOut=" + leftOut + "; " + advice);
    }
  }
}
