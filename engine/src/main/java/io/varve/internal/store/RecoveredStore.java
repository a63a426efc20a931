package io.varve.internal.store;

import io.varve.internal.checkpoint.Backpressure;
import io.varve.internal.checkpoint.CapacityReclaimer;
import io.varve.internal.checkpoint.CheckpointInterval;
import io.varve.internal.checkpoint.CheckpointRequests;
import io.varve.internal.checkpoint.CheckpointScheduler;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.CommitAdmission;
import io.varve.internal.checkpoint.Compactor;
import io.varve.internal.checkpoint.DirtyShare;
import io.varve.internal.checkpoint.DiskAdmission;
import io.varve.internal.checkpoint.LogProportion;
import io.varve.internal.disk.ClosingSteps;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.txn.ArchiveRecords;
import io.varve.internal.txn.Relocator;
import io.varve.internal.txn.Throttle;
import io.varve.internal.wal.Log;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A store on a disk whose content is recovered and whose log has begun. Nothing commits yet: it
/// makes what admits commits, and then starts the threads that write log and checkpoints.
final class RecoveredStore {
  private final StoreParts parts;
  private final Checkpointer.Base base;
  private final StoreThreads threads;
  private final CheckpointDuties duties;
  private final RecoveredLog recovered;
  private final Log log;
  private final Backpressure backpressure;

  /// What writes checkpoints, and is asked for them.
  ///
  /// @param dirty decides when one is due
  record CheckpointDuties(
      DirtyShare dirty, CheckpointRequests requests, Checkpointer checkpointer) {}

  RecoveredStore(
      StoreParts parts,
      Checkpointer.Base base,
      StoreThreads threads,
      CheckpointDuties duties,
      RecoveredLog recovered) {
    this.parts = parts;
    this.base = base;
    this.threads = threads;
    this.duties = duties;
    this.recovered = recovered;
    this.log = recovered.log();
    this.backpressure =
        new Backpressure(
            duties.dirty, duties.requests, duties.checkpointer, log, threads, parts.clock);
  }

  StoreThreads threads() {
    return threads;
  }

  /// What admits the commits of the store.
  Throttle throttle() {
    if (parts.options.readOnly()) {
      return new ReadOnly.NoCommits(base.disk().describe(""));
    }
    var admission =
        new DiskAdmission(base.disk(), parts.pages, base.ballast(), recovered.fileBytesMax());
    var reclaimer =
        new CapacityReclaimer(
            admission, duties.checkpointer, duties.requests, parts.spaces, log, parts.clock);
    return new CommitAdmission(admission, reclaimer, backpressure);
  }

  /// Starts the threads of the store; if one does not start, none is left.
  ///
  /// @param writers that [#throttle] admits the commits of
  DurableParts start(StoreWriters writers) {
    CheckpointScheduler scheduler = scheduler(writers);
    TimestampRecorder timestampRecorder = timestampRecorder(writers);
    DurableParts durable =
        new DurableParts(
            recovered,
            duties.checkpointer,
            duties.requests,
            scheduler,
            backpressure,
            base.ballast(),
            base.disk(),
            timestampRecorder);
    if (!parts.options.readOnly()) {
      scheduler.start();
    }
    if (timestampRecorder != null) {
      try {
        timestampRecorder.start();
      } catch (Throwable e) {
        new ClosingSteps(e).take(scheduler::stop);
        throw e;
      }
    }
    return durable;
  }

  private CheckpointScheduler scheduler(StoreWriters writers) {
    var relocator = new Relocator(writers.committer(), writers.values());
    var compactor =
        new Compactor(parts.spaces, relocator, parts.file, duties.checkpointer, parts.clock);
    var interval =
        new CheckpointInterval(
            writers.committer().order(),
            new LogProportion(log, parts.file.extents()),
            parts.clock,
            TimeUnit.NANOSECONDS.convert(parts.options.checkpointInterval())); // at most 292 years
    return new CheckpointScheduler(
        duties.checkpointer, compactor, duties.requests, interval, log, threads);
  }

  private @Nullable TimestampRecorder timestampRecorder(StoreWriters writers) {
    ArchiveRecords notes = writers.notes();
    return notes == null
        ? null
        : new TimestampRecorder(notes, writers.committer(), log, parts.clock, threads);
  }
}
