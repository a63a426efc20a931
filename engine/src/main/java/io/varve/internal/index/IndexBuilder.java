package io.varve.internal.index;

import io.varve.ProgressListener;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.StoreFullException;
import io.varve.UniqueIndexException;
import io.varve.internal.cache.PageCache;
import io.varve.internal.disk.StoreThreads;
import io.varve.internal.txn.LiveSpace;
import io.varve.spi.SpaceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Builds indexes from the entries of their space while others change the space: gathers the index
/// entries in sorted runs, and then adds them in the order of each index. So the space is read once
/// for all of them. Each index is written once from its first leaf to its last, however much larger
/// than the cache it is.
///
/// - (BUILD-1) A gathered entry is added unless the index has it, or the workspace notes that it
///   was removed (WORKSPACE-1). If neither is so, the entry of the space has had it from when it
///   was read until now. Else the change that noted or added it has done all there is to do. So
///   runs may be old, and the index has nothing that it should not have at any commit.
/// - (BUILD-2) What is gathered of an index, and how far it is added, stands in its own workspace.
///   A crash loses nothing but the runs or the part under way. Blocks of a run that was not
///   finished are deleted. What the listener or the definition throws loses as little. A full disk
///   drops the workspaces: they hold capacity that others need, and what a delete notes there needs
///   more.
/// - (BUILD-3) One thread at a time builds an index. Others wait for it, except one whose
///   transaction runs alone over the space or the index entries: the build waits for that one.
/// - (BUILD-4) What the runs take in memory is an eighth of the cache, at most 64 MiB, of all
///   indexes together: a half is written while the other one is gathered. So are the blocks of all
///   runs that are merged. The cache does without it until the end. When there are as many runs as
///   that lets, they are added to the index before more are gathered. Where a larger cache left
///   more, the build begins again. What is read ahead takes a sixteenth of that in addition, at
///   most 1 MiB. It may end with an entry that is longer. After one of more than twice what is read
///   together none is read ahead, so that one such entry is in memory at a time.
/// - (BUILD-5) The runs of an index have each entry of the space once, whatever the others have. A
///   pass begins at the first key that one of them has not read, and passes those by that have.
/// - (BUILD-6) While a run is sorted and written by a second thread, the calling one gathers the
///   next. While it gathers entries of the space, another one reads those that follow. While it
///   adds index entries, another one merges those that follow. It waits for each before it looks at
///   what that has done, and before the build ends, however it ends. It alone asks definitions:
///   code of the program may have a lock that the calling thread holds, as that of a class
///   initializer.
///
/// For one thread.
final class IndexBuilder {
  private final IndexRegistry registry;
  private final LiveSpace space;
  private final PageCache cache;
  private final BuildMemory memory;
  private final StoreThreads threads;
  private final List<IndexBuild> builds = new ArrayList<>();

  /// Why indexes stay unfinished, or are dropped.
  private final List<RuntimeException> failures;

  private IndexBuilder(
      IndexRegistry registry,
      LiveSpace space,
      Map<LiveSpace, SpaceIndex> unbuilt,
      List<RuntimeException> failures) {
    this.registry = registry;
    this.space = space;
    this.failures = failures;
    this.threads = registry.threads();
    this.cache = space.core().tree().pages().cache();
    this.memory = BuildMemory.of(cache, unbuilt.size());
    unbuilt.forEach((entries, index) ->
        attempt(
            entries,
            () -> builds.add(new IndexBuild(registry, space, entries, index, memory)),
            failures::add));
  }

  /// A step of one build.
  ///
  /// @param failure takes what ends that build and no other: the index was dropped, by another
  ///   thread or since its values are not unique
  private void attempt(LiveSpace entries, Runnable step, Consumer<RuntimeException> failure) {
    try {
      registry.attempt(space, entries, step);
    } catch (UniqueIndexException | IllegalStateException e) {
      if (!IndexRegistry.isDropped(entries)) {
        throw e;
      }
      failure.accept(e);
    }
  }

  private void attempt(IndexBuild build, Runnable step) {
    attempt(build.entries(), step, build::fail);
  }

  /// Builds indexes: as many together as the memory lets.
  ///
  /// @param unbuilt the definitions, by the spaces with the entries
  static void build(
      IndexRegistry registry,
      LiveSpace space,
      Map<LiveSpace, SpaceIndex> unbuilt,
      ProgressListener listener) {
    int together = BuildMemory.together(space.core().tree().pages().cache(), space);
    List<RuntimeException> failures = new ArrayList<>();
    Map<LiveSpace, SpaceIndex> next = new LinkedHashMap<>();
    for (var index : unbuilt.entrySet()) {
      next.put(index.getKey(), index.getValue());
      if (next.size() == together) {
        new IndexBuilder(registry, space, next, failures).build(listener);
        next.clear();
      }
    }
    if (!next.isEmpty()) {
      new IndexBuilder(registry, space, next, failures).build(listener);
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      for (RuntimeException other : failures) {
        if (!other.equals(first)) {
          first.addSuppressed(other);
        }
      }
      throw first;
    }
  }

  private void build(ProgressListener listener) {
    List<IndexBuild> unfinished = new ArrayList<>(builds);
    cache.withhold(memory.runBytes());
    try {
      while (!unfinished.isEmpty()) {
        gather(unfinished, listener);
        takeFailed(unfinished);
        for (IndexBuild build : List.copyOf(unfinished)) {
          attempt(build, () -> build.merge(threads, () -> report(listener)));
          if (build.failure() == null && build.next() == null) {
            registry.built(build.entries());
            registry.dropWorkspace(build.entries());
            unfinished.remove(build);
          }
        }
        takeFailed(unfinished);
      }
    } catch (StoreFullException e) {
      builds.forEach(build -> build.dropWorkspace(e)); // (BUILD-2)
      throw e;
    } finally {
      cache.endWithholding(memory.runBytes());
    }
    if (failures.isEmpty()) {
      long all = Math.max(bytesDone(), space.statistics().bytes());
      listener.progress(all, all);
    }
  }

  /// The others are built, and only then what ended these is thrown.
  private void takeFailed(List<IndexBuild> unfinished) {
    for (IndexBuild build : List.copyOf(unfinished)) {
      RuntimeException failure = build.failure();
      if (failure != null) {
        unfinished.remove(build);
        failures.add(failure);
      }
    }
  }

  /// Gathers until the runs of one index have to be merged, or all are read.
  private void gather(List<IndexBuild> unfinished, ProgressListener listener) {
    List<IndexBuild> reading = unfinished.stream().filter(build -> build.next() != null).toList();
    reading.forEach(build -> attempt(build, build::beginRuns));
    RunSorter sorter = new RunSorter();
    SecondThread<Map<IndexBuild, RuntimeException>> writing = null;
    try {
      while (!reading.isEmpty() && reading.stream().noneMatch(IndexBuild::isMerging)) {
        byte @Nullable [] next;
        try (Snapshot snapshot = space.store().snapshot()) {
          next = read(snapshot, reading);
        }
        takeWritten(writing);
        List<IndexBuild> ended = new ArrayList<>();
        for (IndexBuild build : reading) {
          if (build.isReading() && (next == null || compare(build, next) < 0)) {
            build.endRun(next);
            ended.add(build);
          }
        }
        writing = SecondThread.begin(threads, () -> write(ended, sorter));
        report(listener);
        reading = reading.stream().filter(IndexBuild::isReading).toList();
      }
    } finally {
      if (writing != null) {
        writing.finish();
      }
    }
    takeWritten(writing);
    unfinished.forEach(IndexBuild::endRuns);
  }

  private static void takeWritten(
      @Nullable SecondThread<Map<IndexBuild, RuntimeException>> writing) {
    if (writing != null) {
      writing.await().forEach(IndexBuild::fail);
    }
  }

  /// Writes runs that were ended. For the second thread (BUILD-6).
  ///
  /// @return what ended builds
  private Map<IndexBuild, RuntimeException> write(List<IndexBuild> ended, RunSorter sorter) {
    Map<IndexBuild, RuntimeException> failed = new HashMap<>();
    for (IndexBuild build : ended) {
      attempt(build.entries(), () -> build.writeRun(sorter), cause -> failed.put(build, cause));
    }
    return failed;
  }

  /// Gathers as much as the memory lets.
  ///
  /// @param snapshot that shows the space no older than the workspaces
  /// @return the first key that was not read; null if that was the last
  private byte @Nullable [] read(Snapshot snapshot, List<IndexBuild> reading) {
    byte[] from = Objects.requireNonNull(reading.getFirst().next());
    for (IndexBuild build : reading) {
      from = compare(build, from) < 0 ? Objects.requireNonNull(build.next()) : from;
    }
    long memoryBytes = 0;
    try (EntriesAhead entries =
        new EntriesAhead(
            threads, snapshot.cursor(space, Range.atLeast(from)), memory.readAheadBytes())) {
      while (entries.next()) {
        byte[] key = entries.key();
        if (memoryBytes >= memory.runBytes() / 2) { // the other half is written
          return key;
        }
        byte[] value = entries.value();
        for (IndexBuild build : reading) {
          if (compare(build, key) <= 0) { // (BUILD-5)
            memoryBytes += build.gather(key, value);
          }
        }
      }
    }
    return null;
  }

  private static int compare(IndexBuild build, byte[] key) {
    return Arrays.compareUnsigned(Objects.requireNonNull(build.next()), key);
  }

  private void report(ProgressListener listener) {
    long bytes = bytesDone();
    listener.progress(bytes, Math.max(space.statistics().bytes(), bytes));
  }

  private long bytesDone() {
    long bytes = 0;
    for (IndexBuild build : builds) {
      bytes += build.bytesDone();
    }
    return bytes / Math.max(1, builds.size());
  }
}
