package io.varve.grid.items;

import org.jspecify.annotations.Nullable;

/// What a request to change items has done.
///
/// @param status of HTTP
/// @param changed items that were removed or inserted
/// @param items under the prefix after it
/// @param tag of these items, or null if there are none
/// @param refusal why nothing was changed, or null
record Outcome(
    int status, long changed, long items, @Nullable String tag, @Nullable String refusal) {
  static Outcome refused(int status, String reason) {
    return new Outcome(status, 0, 0, null, reason);
  }
}
