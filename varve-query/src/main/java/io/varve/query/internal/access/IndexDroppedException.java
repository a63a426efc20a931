package io.varve.query.internal.access;

import java.util.function.Supplier;

/// An index was dropped after some of the rows that it finds were given.
public final class IndexDroppedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  IndexDroppedException(IllegalStateException cause) {
    super("an index was dropped while its rows were read; ask again", cause);
  }

  /// What is read to its end before any of it is given: read again whenever an index that it uses
  /// was dropped.
  public static <T> T whole(Supplier<T> reading) {
    while (true) {
      try {
        return reading.get();
      } catch (IndexDroppedException _) {
        // the next plan does without the index
      }
    }
  }
}
