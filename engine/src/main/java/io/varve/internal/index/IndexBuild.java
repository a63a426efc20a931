package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.StoreFullException;
import io.varve.Transaction;
import io.varve.VarveException;
import io.varve.internal.disk.StoreThreads;
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

/// One of the indexes that an [IndexBuilder] builds: its runs, its progress, and what of them is
/// added.
///
/// For one thread, except [#writeRun].
final class IndexBuild {
  /// The blocks of one transaction.
  private static final int BLOCKS_TOGETHER = 16;

  private static final int PART_ENTRIES_MAX = 16_384;
  private static final long PART_BYTES_MAX = 1L << 20;

  private final IndexRegistry registry;
  private final LiveSpace space;
  private final LiveSpace entries;
  private final LiveSpace workspace;
  private final Indexing.Kept index;
  private final PartAddition addition;
  private final BuildMemory memory;

  private final boolean isUnique;

  /// What is gathered.
  private GatheredRun run = new GatheredRun();

  /// What was gathered before, while it is written.
  private GatheredRun writing = new GatheredRun();

  /// Of what is gathered: the newest run may be in the course of being written.
  private BuildProgress progress;

  /// What the first blocks of all runs take while they are merged.
  private long blocksBytes;

  /// How many entries the next part has, at most. Fewer after a conflict, so that it ends while
  /// others write.
  private int entriesOfPart = PART_ENTRIES_MAX;

  private int entriesOfPartMax = PART_ENTRIES_MAX;

  private @Nullable RuntimeException failure;

  /// What was read of the space, and what of that is in the index, in bytes of keys and values.
  private long bytesGathered;

  private long bytesMerged;

  /// The entries gathered and not added yet.
  private long roundEntries;

  IndexBuild(
      IndexRegistry registry,
      LiveSpace space,
      LiveSpace entries,
      SpaceIndex index,
      BuildMemory memory) {
    this.registry = registry;
    this.space = space;
    this.entries = entries;
    this.memory = memory;
    this.index = new Indexing.Kept(entries.core().id(), IndexNames.index(entries.name()), index);
    this.workspace = workspaceWithin(registry, entries, memory.runBytes());
    this.blocksBytes = firstBlocksBytes(workspace);
    this.addition = new PartAddition(space, entries, workspace, index.isUnique());
    this.isUnique = index.isUnique();
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

  LiveSpace entries() {
    return entries;
  }

  /// The key of the indexed space that is to be read next; null if all are read.
  byte @Nullable [] next() {
    return progress.next();
  }

  /// Whether entries are to be gathered.
  boolean isReading() {
    return progress.next() != null && failure == null;
  }

  /// What the definition threw for an entry of the space, or ended the build otherwise; null while
  /// it continues.
  @Nullable RuntimeException failure() {
    return failure;
  }

  void fail(RuntimeException cause) {
    failure = cause;
    run.clear();
  }

  /// Whether the runs that there are have to be added before more are gathered (BUILD-4).
  boolean isMerging() {
    return progress.isMerging()
        || (progress.runs() > 1 && blocksBytes + memory.blockBytes() > memory.runBytes());
  }

  void dropWorkspace(Throwable cause) {
    try {
      registry.dropWorkspace(entries);
    } catch (VarveException e) {
      cause.addSuppressed(e); // a store that was closed has it when it is opened
    }
  }

  /// Lets the memory of runs go, which blocks take while they are merged (BUILD-4).
  void endRuns() {
    run = new GatheredRun();
    writing = new GatheredRun();
  }

  /// Deletes the blocks of a run that was not finished.
  void beginRuns() {
    deleteBlocks(progress.runs());
  }

  /// Takes the index entries of an entry of the space, unless the build has failed.
  ///
  /// @return the memory that they take
  long gather(byte[] key, byte[] value) {
    if (failure != null) {
      return 0;
    }
    long before = run.memoryBytes();
    try {
      Indexing.forEachPrefix(index, key, value, prefix -> run.add(prefix, key));
    } catch (RuntimeException e) { // whatever code of the program throws
      fail(e);
    }
    bytesGathered += key.length + (long) value.length;
    return run.memoryBytes() - before;
  }

  /// Ends a run, for [#writeRun], and begins the next one.
  ///
  /// @param next the key of the indexed space that is to be read next; null if all are read
  void endRun(byte @Nullable [] next) {
    progress = progress.gathered(next);
    blocksBytes += memory.blockBytes();
    roundEntries += run.size();
    GatheredRun ended = run;
    run = writing;
    writing = ended;
  }

  /// Writes the run that was ended last. May be called by a second thread, before the next run is
  /// ended (BUILD-6).
  void writeRun(RunSorter sorter) {
    int number = progress.runs() - 1;
    List<byte[]> blocks = new ArrayList<>();
    int written = 0;
    sorter.sort(writing);
    byte[] block;
    while ((block = sorter.nextBlock(memory.blockBytes())) != null) {
      blocks.add(block);
      if (blocks.size() == BLOCKS_TOGETHER) {
        written = write(number, written, blocks, null);
      }
    }
    write(number, written, blocks, progress);
    writing.clear();
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

  /// Adds the entries of the runs that there are, and deletes the runs. While some are added the
  /// next ones are merged (BUILD-6).
  ///
  /// @param report called after each part
  void merge(StoreThreads threads, Runnable report) {
    RunMerger merger = new RunMerger(workspace, progress.runs(), progress.merged(), isUnique);
    List<GatheredEntry> part = nextPart(merger);
    long mergedBefore = bytesMerged;
    long count = 0;
    while (!part.isEmpty()) {
      var following = SecondThread.begin(threads, () -> nextPart(merger));
      try {
        count += part.size();
        while (!part.isEmpty()) {
          part = part.subList(addSome(part), part.size());
        }
        double share = Math.min(1, (double) count / Math.max(1, roundEntries));
        bytesMerged = mergedBefore + (long) (share * (bytesGathered - mergedBefore));
        report.run();
      } finally {
        following.finish();
      }
      part = following.await();
    }
    bytesMerged = bytesGathered;
    roundEntries = 0;
    for (int number = 0; number < progress.runs(); number++) {
      deleteBlocks(number);
    }
    BuildProgress done = progress.withoutRuns();
    transact(transaction -> note(transaction, done));
    progress = done;
    blocksBytes = 0;
  }

  private static List<GatheredEntry> nextPart(RunMerger merger) {
    List<GatheredEntry> part = new ArrayList<>();
    long bytes = 0;
    while (part.size() < PART_ENTRIES_MAX && bytes < PART_BYTES_MAX) {
      GatheredEntry entry = merger.next();
      if (entry == null) {
        break;
      }
      part.add(entry);
      bytes += entry.length();
    }
    return part;
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

  /// How much of the space is done with, in bytes of keys and values: to gather and to add count
  /// for a half each.
  long bytesDone() {
    return (bytesGathered + bytesMerged) / 2;
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
