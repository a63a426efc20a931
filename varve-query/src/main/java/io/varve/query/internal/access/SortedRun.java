package io.varve.query.internal.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/// Pairs of a key and what goes with it, in the order of the keys unless the source specifies
/// otherwise. For one thread.
interface SortedRun extends AutoCloseable {
  /// Moves to the next pair, at first to the first one.
  ///
  /// @return false if there is none, and from then on
  boolean next();

  /// Moves on to the first pair whose key is not less.
  ///
  /// @return false if there is none
  default boolean advanceTo(byte[] key) {
    while (next()) {
      if (Arrays.compareUnsigned(key(), key) >= 0) {
        return true;
      }
    }
    return false;
  }

  byte[] key();

  byte[] payload();

  @Override
  void close();

  /// Reports a failure of a temporary file.
  static UncheckedIOException failure(IOException cause) {
    return new UncheckedIOException(
        "a temporary file of a sort failed: "
            + cause.getMessage()
            + "; free disk space, or give the query more memory",
        cause);
  }
}
