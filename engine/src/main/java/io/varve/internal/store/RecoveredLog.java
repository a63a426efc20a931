package io.varve.internal.store;

import io.varve.internal.wal.Log;

/// The log of a store after its recovery, ready for the next commit.
///
/// @param fileBytesMax what its files may take
/// @param lastLsn the last commit of the store
/// @param commits how many were applied by the recovery
/// @param nanos how long that took
record RecoveredLog(Log log, long fileBytesMax, long lastLsn, long commits, long nanos) {}
