package io.varve.internal.txn;

import io.varve.Statistics.OpenSnapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the figures of a store hold of a snapshot that is open.
record OpenSnapshotFigures(long lsn, Duration age, String owner, @Nullable StackTraceElement origin)
    implements OpenSnapshot {}
