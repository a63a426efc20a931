package io.varve.internal.txn;

import org.jspecify.annotations.Nullable;

/// What a transaction writes to a key, and what it wrote to it before.
///
/// @param value null for a delete
/// @param number of the write among those to its space, counted from 0
/// @param before the write to the key before this one, or null
record KeyWrite(@Nullable NewValue value, int number, @Nullable KeyWrite before) {
  /// The newest write to the key among the first ones to the space, or null if there is none.
  ///
  /// @param count how many writes to the space are looked at
  @Nullable KeyWrite among(int count) {
    KeyWrite at = this;
    while (at != null && at.number >= count) {
      at = at.before;
    }
    return at;
  }
}
