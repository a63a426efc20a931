package io.varve.internal.map;

import io.varve.Cursor;

/// What a view shows of an entry: its key, its value, or both.
///
/// @param <T> what is shown
@FunctionalInterface
interface Reading<T> {
  /// Reads the entry that `cursor` is on.
  ///
  /// @param key the key of the entry, already copied out of the cursor
  T read(byte[] key, Cursor cursor);
}
