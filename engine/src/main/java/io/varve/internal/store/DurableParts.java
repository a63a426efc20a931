package io.varve.internal.store;

import io.varve.internal.checkpoint.Backpressure;
import io.varve.internal.checkpoint.BallastFile;
import io.varve.internal.checkpoint.CheckpointRequests;
import io.varve.internal.checkpoint.CheckpointScheduler;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.segment.LogArchive;
import org.jspecify.annotations.Nullable;

/// What a store on a disk has in addition to [StoreParts]: the log, the checkpoints, and what the
/// open found.
///
/// @param timestampRecorder null if the log is not kept
record DurableParts(
    RecoveredLog recovered,
    Checkpointer checkpointer,
    CheckpointRequests requests,
    CheckpointScheduler scheduler,
    Backpressure backpressure,
    BallastFile ballast,
    MeteredDisk disk,
    @Nullable TimestampRecorder timestampRecorder) {
  Log log() {
    return recovered.log();
  }

  StoreFigures.LogValues logFigures() {
    var now = log().statistics();
    return new StoreFigures.LogValues(
        now.bytes(),
        now.retainedBytes(),
        disk.usedBytes(LogArchive.DIRECTORY),
        now.forces(),
        now.forceNanos(),
        StoreFigures.LogWaitValues.of(log().waits()));
  }

  StoreFigures.CheckpointValues checkpointFigures() {
    return new StoreFigures.CheckpointValues(
        checkpointer.count(),
        checkpointer.spillCount(),
        checkpointer.totalNanos(),
        checkpointer.lastNanos(),
        checkpointer.bytes());
  }
}
