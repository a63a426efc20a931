package io.varve.item;

import io.varve.SpaceStatistics;

/// Figures of an item space as of now.
///
/// @param merged of the space that holds what was committed, except the layers
/// @param layers large commits that are yet to be merged, and changes of an open commit that were
///   too many for memory
/// @param uncommittedChanges changes in memory that wait for a commit or rollback
/// @param uncommittedBytes about what they take on the heap
public record ItemStatistics(
    SpaceStatistics merged, int layers, long uncommittedChanges, long uncommittedBytes) {}
