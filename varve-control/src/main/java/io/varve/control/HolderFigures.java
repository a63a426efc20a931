package io.varve.control;

import io.varve.Statistics;

/// A store and the process that holds it, as of one point in time.
///
/// @param statistics of the store
/// @param processId of the process
/// @param uptimeMillis since the process started
/// @param heapUsedBytes of the process
/// @param heapBytesMax that its heap may grow to
/// @since 1.0
public record HolderFigures(
    Statistics statistics,
    long processId,
    long uptimeMillis,
    long heapUsedBytes,
    long heapBytesMax) {}
