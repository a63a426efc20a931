package io.varve.query.internal.access;

/// What a query has read. For one thread.
public final class Meter {
  long entriesRead;
  long rowsRead;
  long rowsFound;
  long sorted;
  long spilledBytes;

  @Override
  public String toString() {
    return "read: index entries="
        + entriesRead
        + ", rows="
        + rowsRead
        + ", found="
        + rowsFound
        + ", sorted="
        + sorted
        + ", spilled bytes="
        + spilledBytes;
  }
}
