package io.varve.internal.wal.group;

import io.varve.Histogram;

/// Figures of a log since it was opened.
///
/// @param records commits appended
/// @param recordBytes bytes of their records
/// @param bytes bytes appended, with the marks and fill that end each batch at a block
/// @param batches writes of the log to its segments
/// @param forces writes that were synchronous, and forces
/// @param waiters commits that waited for a force
/// @param forceNanos the times that forces took
/// @param retainedBytes log that the last released LSN does not release
/// @param tailLsn end of the log
/// @param durableLsn end of the log that survives a loss of power
public record LogStatistics(
    long records,
    long recordBytes,
    long bytes,
    long batches,
    long forces,
    long waiters,
    Histogram forceNanos,
    long retainedBytes,
    long tailLsn,
    long durableLsn) {}
