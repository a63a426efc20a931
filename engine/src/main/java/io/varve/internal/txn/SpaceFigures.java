package io.varve.internal.txn;

import io.varve.SpaceStatistics;

/// The figures of a space as a value.
record SpaceFigures(
    String name, long entries, long bytes, int depth, long leaves, long leavesInMemory)
    implements SpaceStatistics {}
