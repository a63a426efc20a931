package io.varve.internal.item;

import io.varve.SpaceStatistics;
import io.varve.item.ItemStatistics;

/// The figures of an item space as a value.
record ItemSpaceFigures(
    SpaceStatistics merged, int layers, long uncommittedChanges, long uncommittedBytes)
    implements ItemStatistics {}
