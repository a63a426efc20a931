package io.varve.internal.map;

import io.varve.Cursor;

/// One pass over a slice of a space, entry by entry. Weakly consistent, as the cursor beneath it.
///
/// The move that finds no further entry closes the cursor. A pass dropped before its end leaves a
/// cursor that is nothing but memory, for the collector to find.
///
/// For one thread at a time.
final class Scan {
  private enum Place {
    BEFORE_FIRST,
    ON_ENTRY,
    AFTER_LAST
  }

  private final Slice slice;
  private final Cursor cursor;
  private Place place = Place.BEFORE_FIRST;

  Scan(EntryStore store, Slice slice) {
    this.slice = slice;
    this.cursor = store.cursor(slice.range());
  }

  /// Moves to the next entry.
  ///
  /// @return false if there is none, however often asked
  boolean advance() {
    boolean found =
        switch (place) {
          case BEFORE_FIRST -> slice.first(cursor);
          case ON_ENTRY -> slice.next(cursor);
          case AFTER_LAST -> false;
        };
    if (!found) {
      cursor.close();
    }
    place = found ? Place.ON_ENTRY : Place.AFTER_LAST;
    return found;
  }

  /// A copy of the key of the current entry.
  byte[] key() {
    return cursor.key();
  }

  /// Reads the current entry.
  ///
  /// @param key what [#key()] gave
  <T> T read(byte[] key, Reading<T> reading) {
    return reading.read(key, cursor);
  }
}
