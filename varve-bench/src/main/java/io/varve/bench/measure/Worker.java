package io.varve.bench.measure;

/// The work of one thread of a cell.
public interface Worker extends AutoCloseable {
  /// Does one operation.
  void step();

  @Override
  default void close() {}

  /// Makes the worker of a thread, on that thread.
  @FunctionalInterface
  interface Factory {
    /// Makes the worker of thread `index`, from 0.
    Worker create(int index);
  }
}
