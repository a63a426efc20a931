package io.varve.cache.internal.mapreduce;

/// The records of a run in their order. It is positioned before the first. For one thread.
public interface Records extends AutoCloseable {
  /// Moves to the next record.
  ///
  /// @return false if there is none
  boolean next();

  byte[] key();

  byte[] value();

  @Override
  void close();
}
