package io.varve.query;

/// What was found when indexes were compared with the objects of a map or a cache, and was repaired
/// ([QueryMap#reconcile()]).
///
/// @param compared how many objects there were
/// @param indexed how many of them the indexes did not have as they are
/// @param removed how many objects the indexes had that are not there
/// @since 1.0
public record Reconciliation(long compared, long indexed, long removed) {
  /// Whether the indexes were right.
  public boolean isClean() {
    return indexed == 0 && removed == 0;
  }
}
