package io.varve.internal.store;

import io.varve.internal.checkpoint.CheckpointPacer;
import io.varve.internal.checkpoint.CheckpointRequests;
import io.varve.internal.checkpoint.Checkpointer;
import io.varve.internal.checkpoint.DirtyShare;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.file.ArchivedValues;
import io.varve.internal.file.Catalog;
import io.varve.internal.file.Catalog.SpaceRoot;
import io.varve.internal.file.PageFile;
import io.varve.internal.file.Superblock;
import io.varve.internal.page.Node;
import io.varve.internal.wal.StoreLog;
import io.varve.internal.wal.format.LogFiles;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The way of a store on a disk from its parts, which are empty, to the [RecoveredStore]: its
/// newest checkpoint is taken over. Then a log is replayed on it, and the next log begins. For one
/// thread.
final class DurableOpening {
  private final StoreParts parts;
  private final Checkpointer.Base base;
  private final StoreThreads threads;
  private final DirtyShare dirty;
  private final CheckpointRequests requests;
  private final StoreLog log;
  private final Checkpointer checkpointer;

  /// @param log of the store, which is replayed first
  DurableOpening(StoreParts parts, StoreLog log, Checkpointer.Base base, StoreThreads threads) {
    this.log = log;
    this.parts = parts;
    this.base = base;
    this.threads = threads;
    this.dirty = new DirtyShare(parts.pages);
    this.requests = new CheckpointRequests(dirty, parts.clock);
    var pacer = new CheckpointPacer(parts.clock, log, dirty, base.disk(), parts.cache);
    this.checkpointer =
        new Checkpointer(
            parts.pages,
            new Checkpointer.Source(parts.snapshots, parts.spaces, log, parts.valuesUnderWay),
            pacer,
            base);
  }

  /// Asks for a checkpoint of the store that is being opened.
  void askForCheckpoint() {
    requests.askForCheckpoint();
  }

  /// Takes over a checkpoint, to replay a log from there on.
  ///
  /// @param before whether the other superblock names the checkpoint before
  /// @param survey of that log; null if it is an archived one
  /// @param images where the values are that the log names; null if they are at the extents that it
  ///   names
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
    parts.spaces.restored();
    parts.spaces.nextId(catalog.nextSpaceId());
    long logBytesMax = parts.options.log().bytesMax();
    return new Replay(
        parts.spaces,
        parts.commits.epochs(),
        file,
        parts.files.disk().describe(LogFiles.DIRECTORY),
        new ReplayRelief(checkpointer, dirty, parts.pages, log, logBytesMax, survey),
        images);
  }

  /// Continues with the log that takes commits from here on, which has begun.
  RecoveredStore begin(RecoveredLog recovered) {
    parts.commits.order().resume(recovered.lastLsn());
    return new RecoveredStore(
        parts,
        base,
        threads,
        new RecoveredStore.CheckpointDuties(dirty, requests, checkpointer),
        recovered);
  }
}
