package io.varve.query.internal.run;

import org.jspecify.annotations.Nullable;

/// The answers of a query, one after the other. For one thread.
public interface Answers extends AutoCloseable {
  /// Moves to the next answer.
  ///
  /// @return false if there is none
  boolean next();

  /// The columns of the answer; a new array.
  @Nullable Object[] values();

  @Override
  void close();
}
