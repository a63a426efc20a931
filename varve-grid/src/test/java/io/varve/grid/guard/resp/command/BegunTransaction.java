package io.varve.grid.guard.resp.command;

/// A transaction of RESP that runs until it is closed, in the process of a test and its nodes.
public final class BegunTransaction implements AutoCloseable {
  private final Runnable end = RunningTransactions.begin();

  /// Begins.
  public BegunTransaction() {}

  @Override
  public void close() {
    end.run();
  }
}
