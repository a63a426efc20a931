package io.varve.cache;

/// Figures of a cache since it was opened here, or as of now. Counts only rise. They are read one
/// after the other, and so are of no one point in time.
///
/// Calls under [Flag#SKIP_STATISTICS] are not counted. The bean of JCache shows the same counts,
/// from when it was cleared or its statistics were enabled.
///
/// @param hits reads and conditional changes that found an entry
/// @param misses those that found none
/// @param puts entries that calls set
/// @param removals entries that calls removed
/// @param evictions entries that were lost since there was no capacity for them
/// @param expiries entries that were removed since they had ended
/// @param loads values that the loader gave
/// @param writes entries that the writer wrote
/// @param deletions keys that the writer deleted
/// @param getTimes of calls that read
/// @param putTimes of calls that put
/// @param removalTimes of calls that remove
/// @param droppedEvents events that listeners missed since too many waited
///   ([WhenFull#DROP_OLDEST]): for each of them, what several changes of a key came to counts once
/// @param entries entries, as [VarveCache#size()] counts them
/// @param heapEntries entries on the heap, about
/// @param pageEntries entries in pages. One that is on the heap, too, is counted twice here
/// @param waitingWrites changes that wait for the writer ([CacheOptions#writeBehind(WriteBehind)]);
///   they are among `writes` and `deletions` already
/// @param droppedWrites changes that the writer refused too often ([WriteBehind#attemptsMax(int)])
/// @since 1.0
public record CacheStatistics(
    long hits,
    long misses,
    long puts,
    long removals,
    long evictions,
    long expiries,
    long loads,
    long writes,
    long deletions,
    Times getTimes,
    Times putTimes,
    Times removalTimes,
    long droppedEvents,
    long entries,
    long heapEntries,
    long pageEntries,
    long waitingWrites,
    long droppedWrites) {
  /// How long calls took that were measured: those made while the statistics of JCache are enabled,
  /// since to ask for the time costs as much as a read from the heap.
  ///
  /// @param count calls that were measured
  /// @param totalNanos what they took together
  public record Times(long count, long totalNanos) {
    /// What one took on average; 0 if none was measured.
    public double averageNanos() {
      return count == 0 ? 0 : (double) totalNanos / count;
    }
  }
}
