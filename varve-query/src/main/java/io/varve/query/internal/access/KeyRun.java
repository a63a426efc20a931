package io.varve.query.internal.access;

/// The rows of ranges of a table, by their keys, with their values.
final class KeyRun implements SortedRun {
  private final RangeCursor cursor;

  KeyRun(RangeCursor cursor) {
    this.cursor = cursor;
  }

  @Override
  public boolean next() {
    return cursor.next();
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] payload() {
    return cursor.value();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
