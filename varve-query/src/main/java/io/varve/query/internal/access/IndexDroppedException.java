package io.varve.query.internal.access;

/// An index was dropped after some of the rows that it finds were given.
public final class IndexDroppedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  IndexDroppedException(IllegalStateException cause) {
    super("an index was dropped while its rows were read; ask again", cause);
  }
}
