package io.varve.cache.mapreduce;

import java.time.Duration;

/// What was done to map elements, in one process or in all.
///
/// @param entries elements that were mapped
/// @param entriesTotal about how many there are; [Long#MAX_VALUE] if that is not known
/// @param bytes of those that were mapped, where they are entries of caches
/// @param emitted see [JobStatistics#emitted]
/// @param combined see [JobStatistics#combined]
/// @param tableBytesMax see [JobStatistics#tableBytesMax]; the sum of the peaks of all processes
/// @param spills see [JobStatistics#spills]
/// @param spilledPairs see [JobStatistics#spilledPairs]
/// @param spilledBytes see [JobStatistics#spilledBytes]
/// @param spillTime see [JobStatistics#spillTime]
/// @since 1.0
public record MapFigures(
    long entries,
    long entriesTotal,
    long bytes,
    long emitted,
    long combined,
    long tableBytesMax,
    long spills,
    long spilledPairs,
    long spilledBytes,
    Duration spillTime) {
  /// Of nothing.
  public static final MapFigures NONE = new MapFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO);

  /// The figures of both.
  public MapFigures plus(MapFigures other) {
    long total = entriesTotal + other.entriesTotal;
    return new MapFigures(
        entries + other.entries,
        total < 0 ? Long.MAX_VALUE : total, // one of them is not known
        bytes + other.bytes,
        emitted + other.emitted,
        combined + other.combined,
        tableBytesMax + other.tableBytesMax,
        spills + other.spills,
        spilledPairs + other.spilledPairs,
        spilledBytes + other.spilledBytes,
        spillTime.plus(other.spillTime));
  }
}
