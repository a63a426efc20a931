package io.varve.internal.store;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.ArchiveRecords;
import io.varve.internal.txn.CommitGate;
import io.varve.internal.txn.CommitLog;
import io.varve.internal.txn.Committer;
import io.varve.internal.txn.Lifecycle;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.Spaces;
import io.varve.internal.txn.ValueWriter;
import org.jspecify.annotations.Nullable;

/// What every store consists of, whether it is in memory or on a disk: pages, spaces, snapshots,
/// and what commits to them. Made first, without any content; a store on a disk is then filled by
/// [DurableOpening].
final class StoreParts {
  final StoreOptions options;
  final Clock clock;
  final StoreFiles files;
  final PageFile file;
  final PageCache cache;
  final Pages pages;
  final Epochs epochs;
  final CommitGate gate;
  final CommitLog commitLog = new CommitLog();
  final Lifecycle lifecycle = new Lifecycle();
  final Committer committer;

  /// What goes to the log in addition to commits, or null if the log is not kept.
  final @Nullable ArchiveRecords notes;

  final ValueWriter values;
  final Spaces spaces;
  final Snapshots snapshots;

  /// @param store what users are shown as the store of a space or snapshot
  /// @param firstEpoch the first of this life
  /// @param archivesLog whether there is a log, and it is kept
  StoreParts(
      Store store,
      StoreOptions options,
      Clock clock,
      StoreFiles files,
      long firstEpoch,
      boolean archivesLog) {
    this.options = options;
    this.clock = clock;
    this.files = files;
    this.file = files.pages();
    this.cache =
        new PageCache(
            file.locks(),
            options.cache().retention(),
            options.cacheBytes(),
            options.cache().share(),
            options.cache().offHeapBytes());
    this.pages = new Pages(file, cache, options.pageBytes());
    this.epochs = new Epochs(file.locks(), firstEpoch);
    this.gate = new CommitGate(clock, file.locks(), commitLog::fail);
    this.committer = new Committer(epochs, gate, commitLog, lifecycle, options.durability(), clock);
    this.notes = archivesLog ? new ArchiveRecords(committer) : null;
    this.values = new ValueWriter(committer, notes);
    this.spaces = new Spaces(store, pages, committer, values, clock);
    this.snapshots = new Snapshots(store, committer, clock, options.snapshotOrigins());
  }
}
