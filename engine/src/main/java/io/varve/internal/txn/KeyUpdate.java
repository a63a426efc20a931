package io.varve.internal.txn;

import io.varve.Commit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a change of one key found and left.
///
/// @param before the value that was there, or null
/// @param after the value that is there now, or null
/// @param commit null if nothing was changed
public record KeyUpdate(
    byte @Nullable [] before, byte @Nullable [] after, @Nullable Commit commit) {
  /// Whether the value was there that a comparison asked for, so that the change was made.
  public boolean found(byte @Nullable [] expected) {
    return Arrays.equals(before, expected);
  }
}
