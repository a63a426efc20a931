package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.ProgressListener;
import io.varve.Snapshot;
import io.varve.StoreFullException;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.txn.IndexNames;
import io.varve.internal.txn.IndexWorkspace;
import io.varve.internal.txn.Indexing;
import io.varve.internal.txn.LiveSpace;
import io.varve.internal.txn.StoreTransaction;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Builds an index from the entries of its space while others change the space: gathers the index
/// entries in sorted runs, and then adds them in the order of the index. So the index is written
/// once from its first leaf to its last, however much larger than the cache it is.
///
/// - (BUILD-1) A gathered entry is added unless the index has it, or the workspace notes that it
///   was removed (WORKSPACE-1). If neither is so, the entry of the space has had it from when it
///   was read until now. Else the change that noted or added it has done all there is to do. So
///   runs may be old, and the index has nothing that it should not have at any commit.
/// - (BUILD-2) What is gathered, and how far it is added, stands in the workspace. A crash loses
///   nothing but the run or part under way. Blocks of a run that was not finished are deleted. What
///   the listener or the definition throws loses as little. A full disk drops the workspace: it
///   holds capacity that others need, and what a delete notes there needs more.
/// - (BUILD-3) One thread at a time builds an index.
/// - (BUILD-4) What a run takes in memory is an eighth of the cache, at most 64 MiB. So are the
///   blocks of all runs that are merged. The cache does without it until the end. When there are as
///   many runs as that lets, they are added to the index before more are gathered. Where a larger
///   cache left more, the build begins again.
///
/// For one thread.
final class IndexBuilder {
  private static final int CACHE_PART = 8;
  private static final long RUN_BYTES_MAX = 64L << 20;
  private static final int BLOCK_BYTES_MIN = 4 << 10;
  private static final int BLOCK_BYTES_MAX = 64 << 10;
  private static final int RUNS_MAX = 256;

  /// The blocks of one transaction.
  private static final int BLOCKS_TOGETHER = 16;

  private static final int PART_ENTRIES_MAX = 16_384;
  private static final long PART_BYTES_MAX = 1L << 20;

  private final IndexRegistry registry;
  private final LiveSpace space;
  private final LiveSpace entries;
  private final SpaceIndex index;
  private final LiveSpace workspace;
  private final PartAddition addition;
  private final PageCache cache;
  private final long runBytes;
  private final int blockBytes;
  private final int runsMax;

  private BuildProgress progress;

  /// How many entries the next part has, at most. Fewer after a conflict, so that it ends while
  /// others write.
  private int entriesOfPart = PART_ENTRIES_MAX;

  private int entriesOfPartMax = PART_ENTRIES_MAX;

  /// What was read of the space, and what of that is in the index, in bytes of keys and values.
  private long bytesGathered;

  private long bytesMerged;

  /// The entries gathered and not added yet.
  private long roundEntries;

  IndexBuilder(IndexRegistry registry, LiveSpace space, LiveSpace entries, SpaceIndex index) {
    this.registry = registry;
    this.space = space;
    this.entries = entries;
    this.index = index;
    this.cache = entries.core().tree().pages().cache();
    this.runBytes = Math.min(cache.bytesMax() / CACHE_PART, RUN_BYTES_MAX); // (BUILD-4)
    this.workspace = workspaceWithin(registry, entries, runBytes);
    this.addition = new PartAddition(space, entries, workspace, index);
    this.blockBytes = Math.clamp(runBytes / RUNS_MAX, BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
    this.runsMax = Math.clamp(runBytes / blockBytes, 2, RUNS_MAX);
    this.progress = progressOf(workspace);
  }

  /// The workspace; or another one, if to merge its runs takes more memory than there is now. That
  /// is so where the cache was larger when they were written. The build begins again then, which it
  /// may at any time (BUILD-1).
  ///
  /// @param bytesMax for one block of each run (BUILD-4)
  private static LiveSpace workspaceWithin(
      IndexRegistry registry, LiveSpace entries, long bytesMax) {
    LiveSpace found = registry.workspace(entries);
    if (firstBlocksBytes(found) <= bytesMax) {
      return found;
    }
    registry.dropWorkspace(entries);
    return registry.workspace(entries);
  }

  /// The bytes of the first blocks of all runs: others of a run are hardly longer.
  private static long firstBlocksBytes(LiveSpace workspace) {
    long bytes = 0;
    int runs = progressOf(workspace).runs();
    for (int run = 0; run < runs; run++) {
      try (Cursor cursor = workspace.cursor(IndexWorkspace.blocks(run))) {
        bytes += cursor.next() ? cursor.valueLength() : 0;
      }
    }
    return bytes;
  }

  private static BuildProgress progressOf(LiveSpace workspace) {
    byte[] noted = workspace.get(IndexWorkspace.progress());
    return noted == null ? BuildProgress.NONE : BuildProgress.of(noted);
  }

  void build(ProgressListener listener) {
    cache.withhold(runBytes);
    try {
      do {
        gather(listener);
        merge(listener);
      } while (progress.next() != null);
    } catch (StoreFullException e) {
      dropWorkspace(e); // (BUILD-2)
      throw e;
    } finally {
      cache.endWithholding(runBytes);
    }
    registry.built(entries);
    long all = Math.max(bytesGathered, space.statistics().bytes());
    listener.progress(all, all);
  }

  private void dropWorkspace(Throwable cause) {
    try {
      registry.dropWorkspace(entries);
    } catch (VarveException e) {
      cause.addSuppressed(e); // a store that was closed has it when it is opened
    }
  }

  private void gather(ProgressListener listener) {
    EntryGatherer gatherer = new EntryGatherer(runBytes);
    var kept = new Indexing.Kept(entries.core().id(), IndexNames.index(entries.name()), index);
    for (byte[] from = progress.next();
        from != null && !progress.isMerging(runsMax);
        from = progress.next()) {
      deleteBlocks(progress.runs());
      try (Snapshot snapshot = space.store().snapshot()) {
        gatherer.gather(snapshot, space, from, kept);
      }
      writeRun(gatherer);
      bytesGathered += gatherer.bytesRead();
      roundEntries += gatherer.size();
      report(listener, bytesMerged);
    }
  }

  private void writeRun(EntryGatherer gatherer) {
    int run = progress.runs();
    List<byte[]> blocks = new ArrayList<>();
    int[] written = {0};
    gatherer.forEachBlock(
        blockBytes,
        block -> {
          blocks.add(block);
          if (blocks.size() == BLOCKS_TOGETHER) {
            written[0] = write(run, written[0], blocks, null);
          }
        });
    BuildProgress gathered = progress.gathered(gatherer.next());
    write(run, written[0], blocks, gathered);
    progress = gathered;
  }

  /// Writes blocks, and forgets them.
  ///
  /// @param from the number of the first
  /// @param then what to note with them; null for nothing
  /// @return the number of the one after the last
  private int write(int run, int from, List<byte[]> blocks, @Nullable BuildProgress then) {
    transact(transaction -> {
      int number = from;
      for (byte[] block : blocks) {
        transaction.write(workspace, IndexWorkspace.block(run, number++), block);
      }
      if (then != null) {
        note(transaction, then);
      }
    });
    int next = from + blocks.size();
    blocks.clear();
    return next;
  }

  private void note(StoreTransaction transaction, BuildProgress noted) {
    transaction.write(workspace, IndexWorkspace.progress(), noted.bytes());
  }

  private void deleteBlocks(int run) {
    List<byte[]> keys = new ArrayList<>();
    try (Snapshot snapshot = space.store().snapshot();
        Cursor cursor = snapshot.cursor(workspace, IndexWorkspace.blocks(run))) {
      while (cursor.next()) {
        keys.add(cursor.key());
      }
    }
    if (!keys.isEmpty()) {
      transact(transaction -> keys.forEach(key -> transaction.write(workspace, key, null)));
    }
  }

  /// Adds the entries of the runs that there are, and deletes the runs.
  private void merge(ProgressListener listener) {
    RunMerger merger = new RunMerger(workspace, progress.runs(), progress.merged());
    List<GatheredEntry> part = new ArrayList<>();
    long count = 0;
    while (fill(part, merger)) {
      count += part.size();
      while (!part.isEmpty()) {
        part.subList(0, addSome(part)).clear();
      }
      double share = Math.min(1, (double) count / Math.max(1, roundEntries));
      report(listener, bytesMerged + (long) (share * (bytesGathered - bytesMerged)));
    }
    bytesMerged = bytesGathered;
    roundEntries = 0;
    for (int run = 0; run < progress.runs(); run++) {
      deleteBlocks(run);
    }
    BuildProgress done = progress.withoutRuns();
    transact(transaction -> note(transaction, done));
    progress = done;
  }

  private static boolean fill(List<GatheredEntry> part, RunMerger merger) {
    long bytes = 0;
    while (part.size() < PART_ENTRIES_MAX && bytes < PART_BYTES_MAX) {
      GatheredEntry entry = merger.next();
      if (entry == null) {
        break;
      }
      part.add(entry);
      bytes += entry.bytes().length;
    }
    return !part.isEmpty();
  }

  /// @return how many of them are done with; none if the disk has no capacity for as many
  private int addSome(List<GatheredEntry> part) {
    int[] count = {0};
    try {
      transact(transaction -> {
        count[0] = Math.min(part.size(), entriesOfPart);
        entriesOfPart = Math.max(1, count[0] / 4); // should this run again
        List<GatheredEntry> added = part.subList(0, count[0]);
        addition.add(transaction, added);
        note(transaction, progress.merged(added.getLast().bytes()));
      });
    } catch (StoreFullException e) {
      if (count[0] == 1) {
        throw e;
      }
      entriesOfPartMax = entriesOfPart; // a commit needs capacity for a leaf for each entry
      return 0;
    }
    progress = progress.merged(part.get(count[0] - 1).bytes());
    entriesOfPart = Math.min(entriesOfPartMax, 2 * count[0]);
    return count[0];
  }

  /// To gather and to add count for a half each.
  private void report(ProgressListener listener, long added) {
    long bytes = (bytesGathered + added) / 2;
    long all = Math.max(space.statistics().bytes(), bytes);
    listener.progress(bytes, all);
  }

  private void transact(Consumer<StoreTransaction> work) {
    registry
        .transactor()
        .run(
            Durability.BACKGROUND,
            this,
            (Transaction transaction) -> {
              work.accept((StoreTransaction) transaction);
              return true;
            });
  }
}
