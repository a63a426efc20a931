package io.varve.internal.store;

import io.varve.internal.checkpoint.Backpressure;
import io.varve.internal.checkpoint.CapacityReclaimer;
import io.varve.internal.checkpoint.CheckpointInterval;
import io.varve.internal.checkpoint.CheckpointPacer;
import io.varve.internal.checkpoint.CheckpointRequests;
import io.varve.internal.checkpoint.CheckpointScheduler;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.CommitAdmission;
import io.varve.internal.checkpoint.Compactor;
import io.varve.internal.checkpoint.DirtyShare;
import io.varve.internal.checkpoint.DiskAdmission;
import io.varve.internal.checkpoint.LogProportion;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.ArchivedValues;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Node;
import io.varve.internal.txn.ArchiveRecords;
import io.varve.internal.txn.Relocator;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The way of a store on a disk from its parts, which are empty, to the open store: its newest
/// checkpoint is taken over, then a log is replayed on it. Then the threads start that write the
/// next log and the next checkpoints. For one thread.
final class DurableOpening {
  private final StoreParts parts;
  private final Checkpointer.Base base;
  private final StoreThreads threads;
  private final DirtyShare dirty;
  private final CheckpointRequests requests;
  private final ReplayedLog replayed = new ReplayedLog();
  private final Checkpointer checkpointer;

  DurableOpening(StoreParts parts, Checkpointer.Base base, StoreThreads threads) {
    this.parts = parts;
    this.base = base;
    this.threads = threads;
    this.dirty = new DirtyShare(parts.cache);
    this.requests = new CheckpointRequests(dirty, parts.clock);
    var pacer = new CheckpointPacer(parts.clock, replayed, dirty, base.disk(), parts.cache);
    this.checkpointer =
        new Checkpointer(parts.pages, parts.snapshots, parts.spaces, replayed, pacer, base);
  }

  /// Asks for a checkpoint of the store that is being opened.
  void askForCheckpoint() {
    requests.askForCheckpoint();
  }

  /// Takes over a checkpoint, to replay a log from there on.
  ///
  /// @param before whether the other superblock names the checkpoint before
  /// @param survey of that log; null if it is a kept one
  /// @param images where the values are that the log names; null if they are where it says
  /// @return what takes the commits of the log
  Replay replay(boolean before, @Nullable LogSurvey survey, @Nullable ArchivedValues images)
      throws IOException {
    Superblock superblock = base.superblocks().newest();
    PageFile file = parts.file;
    Catalog catalog = Catalog.read(file, superblock.catalogExtent(), superblock.catalogChecksum());
    catalog.requireWithin(file);
    catalog.reserve(file.extents(), superblock.catalogExtent());
    if (before) {
      catalog.requirePreviousWithin(file);
      catalog.reservePrevious(file.extents(), superblock.epoch());
    }
    parts.pages.beginCheckpoint(superblock.epoch());
    parts.pages.endCheckpoint();
    for (SpaceRoot root : catalog.spaces()) {
      parts.spaces.restore(
          root.id(),
          root.definition(),
          Node.reference(root.level(), root.extent(), root.checksum(), root.entryCount()),
          superblock.epoch());
    }
    parts.spaces.nextId(catalog.nextSpaceId());
    long logBytesMax = parts.options.log().bytesMax();
    return new Replay(
        parts.spaces,
        parts.epochs,
        file,
        parts.files.disk().describe(LogFiles.DIRECTORY),
        new ReplayRelief(checkpointer, dirty, parts.pages, replayed, logBytesMax, survey),
        images);
  }

  /// Starts to take commits.
  DurableParts start(RecoveredLog recovered) {
    Log log = recovered.log();
    parts.commitLog.attach(log);
    parts.file.onDamage(log::fail);
    parts.committer.order().resume(recovered.lastLsn());
    checkpointer.attach(log, parts.notes);
    var backpressure = new Backpressure(dirty, requests, checkpointer, log, threads, parts.clock);
    admitCommits(recovered, backpressure);
    CheckpointScheduler scheduler = scheduler(log);
    TimestampRecorder timestampRecorder = timestampRecorder(log);
    if (!parts.options.readOnly()) {
      scheduler.start();
    }
    if (timestampRecorder != null) {
      timestampRecorder.start();
    }
    return new DurableParts(
        recovered,
        checkpointer,
        requests,
        scheduler,
        backpressure,
        base.ballast(),
        base.disk(),
        timestampRecorder);
  }

  private void admitCommits(RecoveredLog recovered, Backpressure backpressure) {
    if (parts.options.readOnly()) {
      parts.committer.throttleBy(new ReadOnly.NoCommits(base.disk().describe("")));
      return;
    }
    var admission =
        new DiskAdmission(base.disk(), parts.pages, base.ballast(), recovered.fileBytesMax());
    var reclaimer =
        new CapacityReclaimer(
            admission, checkpointer, requests, parts.spaces, recovered.log(), parts.clock);
    parts.committer.throttleBy(new CommitAdmission(admission, reclaimer, backpressure));
  }

  private CheckpointScheduler scheduler(Log log) {
    var relocator = new Relocator(parts.committer, parts.values);
    var compactor = new Compactor(parts.spaces, relocator, parts.file, checkpointer, parts.clock);
    var interval =
        new CheckpointInterval(
            parts.committer,
            new LogProportion(log, parts.file.extents()),
            parts.clock,
            parts.options.checkpointInterval().toNanos());
    return new CheckpointScheduler(checkpointer, compactor, requests, interval, log, threads);
  }

  private @Nullable TimestampRecorder timestampRecorder(Log log) {
    ArchiveRecords notes = parts.notes;
    return notes == null
        ? null
        : new TimestampRecorder(notes, parts.committer, log, parts.clock, threads);
  }
}
