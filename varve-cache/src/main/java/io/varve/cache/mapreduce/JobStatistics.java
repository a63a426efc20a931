package io.varve.cache.mapreduce;

import java.time.Duration;

/// What a job did with the pairs that its mappers made.
///
/// @param emitted pairs that mappers made
/// @param combined pairs that were combined with others immediately, in the table of their thread
/// @param distinct keys with a result, once all are reduced
/// @param tableBytesMax the most that all tables took, as measured
/// @param spills tables that were written to disk
/// @param spilledPairs keys with their values in those
/// @param spilledBytes bytes of those
/// @param mapTime from the start until no mapper ran any more
/// @param spillTime of writing tables, and fewer runs of many, all threads together
/// @param reduceTime of merging tables and of reducing
/// @param collateTime of the collator apart from that
/// @since 1.0
public record JobStatistics(
    long emitted,
    long combined,
    long distinct,
    long tableBytesMax,
    long spills,
    long spilledPairs,
    long spilledBytes,
    Duration mapTime,
    Duration spillTime,
    Duration reduceTime,
    Duration collateTime) {}
