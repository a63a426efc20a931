package io.varve.internal.store;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.Epochs;
import io.varve.internal.txn.CommitContext;
import io.varve.internal.txn.CommitGate;
import io.varve.internal.txn.CommitLog;
import io.varve.internal.txn.CountedCommits;
import io.varve.internal.txn.LoggedCommits;
import io.varve.internal.txn.Snapshots;
import io.varve.internal.txn.SpaceRegistry;
import io.varve.internal.txn.ValuesUnderWay;
import io.varve.internal.wal.StoreLog;
import org.jspecify.annotations.Nullable;

/// What every store has before anything commits to it, whether it is in memory or on a disk: pages,
/// spaces and snapshots. Made first, without any content; a store on a disk is then filled by
/// [DurableOpening]. [StoreWriters] commit to it.
final class StoreParts {
  final StoreOptions options;
  final Clock clock;
  final StoreFiles files;
  final PageFile file;
  final PageCache cache;
  final Pages pages;
  final CommitContext commits;
  final SpaceRegistry spaces;
  final Snapshots snapshots;

  /// Null if there is no log, or it is not archived.
  final @Nullable ValuesUnderWay valuesUnderWay;

  /// @param store what users are shown as the store of a space or snapshot
  /// @param firstEpoch the first of this life
  /// @param log null for a store in memory
  StoreParts(
      Store store,
      StoreOptions options,
      Clock clock,
      StoreFiles files,
      long firstEpoch,
      @Nullable StoreLog log) {
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
    CommitLog commitLog = log == null ? new CountedCommits() : new LoggedCommits(log);
    this.commits =
        CommitContext.of(
            new Epochs(file.locks(), firstEpoch),
            new CommitGate(clock, file.locks(), commitLog::fail),
            commitLog);
    this.spaces = new SpaceRegistry(pages, commits, clock);
    this.snapshots = new Snapshots(store, commits, clock, options.snapshotOrigins());
    this.valuesUnderWay = log != null && options.archiveLog() ? new ValuesUnderWay() : null;
  }
}
