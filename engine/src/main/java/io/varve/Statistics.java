package io.varve;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Figures of a store since it was opened, or as of now, by the part that they are of. Immutable. A
/// consistent picture is not promised: figures are read one after the other.
///
/// Counts and times begin at 0 with an open and only rise, unless stated otherwise. Varve alone
/// implements these interfaces: later versions add figures.
///
/// @since 1.0
public interface Statistics {
  /// Of commits.
  CommitFigures commits();

  /// Of the log.
  LogFigures log();

  /// Of pages in memory.
  CacheFigures cache();

  /// Of checkpoints.
  CheckpointFigures checkpoints();

  /// Of the store's files.
  DiskFigures disk();

  /// Of the recovery at open.
  RecoveryFigures recovery();

  /// Of snapshots, and of the epochs that they hold.
  SnapshotFigures snapshots();

  /// Commits of all durabilities.
  interface CommitFigures {
    /// Commits applied.
    long applied();

    /// Commits refused because what they had read was changed by others ([ConflictException]),
    /// those that [Store#transact] tried again included.
    long conflicts();

    /// The LSN of the newest commit applied.
    long lastLsn();

    /// The LSN up to which commits would survive loss of power.
    long durableLsn();

    /// The time that writers were slowed for dirty pages, all threads added up, in nanoseconds.
    /// That for capacity in the log is in [LogFigures#waits()].
    long throttledNanos();

    /// The longest time that a checkpoint or snapshot shut commits out, in nanoseconds.
    long pauseNanosMax();
  }

  /// The log, and its forces.
  interface LogFigures {
    /// Bytes appended, padding included.
    long appendedBytes();

    /// Bytes of log as of now that a recovery would have to consider.
    long retainedBytes();

    /// Bytes of log as of now that no recovery needs and no backup has taken over yet
    /// ([StoreOptions#archiveLog(boolean)]).
    long archivedBytes();

    /// Forces, and synchronous writes.
    long forces();

    /// The times of all forces: [Histogram#nanos(double)] has percentiles.
    Histogram forceTimes();

    /// How long commits waited for capacity in the log.
    LogWaitFigures waits();
  }

  /// How long commits waited for capacity in the log, by what was in the way. All threads added up,
  /// in nanoseconds.
  ///
  /// @since 1.0
  interface LogWaitFigures {
    /// Until records in memory were written ([LogOptions#bufferBytes()]).
    long bufferNanos();

    /// Until files of log were prepared.
    long segmentNanos();

    /// Until a checkpoint released log ([LogOptions#bytesMax()]).
    long checkpointNanos();
  }

  /// Pages in memory, and how often reads found them there.
  interface CacheFigures {
    /// Bytes of pages in memory as of now.
    long usedBytes();

    /// The budget for them in bytes ([StoreOptions#cacheBytes()]).
    long budgetBytes();

    /// Bytes of those pages that were not written yet.
    long dirtyBytes();

    /// Reads that found the leaf they wanted in memory, about: threads lose some.
    long hits();

    /// Reads that did not.
    long misses();

    /// Pages read from disk, inner ones too.
    long loads();

    /// Clean pages dropped from memory, to memory outside of the heap or altogether.
    long evictions();

    /// Of pages outside of the heap.
    OffHeapFigures offHeap();
  }

  /// Pages in memory outside of the heap, all 0 if there is to be none
  /// ([PageCacheOptions#offHeapBytes()]).
  interface OffHeapFigures {
    /// Bytes of memory that they take as of now.
    long usedBytes();

    /// The most that they may take.
    long budgetBytes();

    /// Pages that are there as of now.
    long images();

    /// Loads that found their page there, and so did not read the file.
    long hits();

    /// Loads that did not.
    long misses();

    /// Pages that left so that others could come.
    long evictions();
  }

  /// Checkpoints, and writes of dirty pages between them.
  interface CheckpointFigures {
    /// Checkpoints completed.
    long count();

    /// Writes of dirty pages between checkpoints, to free memory.
    long spills();

    /// The time that all checkpoints took together, in nanoseconds.
    long totalNanos();

    /// The time that the last checkpoint took, in nanoseconds.
    long lastNanos();

    /// Bytes of pages written by checkpoints and spills.
    long writtenBytes();
  }

  /// The files of the store, as of now, and what went through the page file.
  interface DiskFigures {
    /// Bytes read from the page file, by any thread.
    long readBytes();

    /// Bytes written to the page file, by any thread.
    long writtenBytes();

    /// The size of the page file in bytes.
    long pageFileBytes();

    /// Bytes of it that are free or wait to become free.
    long freeBytes();

    /// The size of all files of the store in bytes: pages, log and reserve.
    long usedBytes();

    /// The quota for them in bytes ([StoreOptions#diskBytesMax()]), or [Long#MAX_VALUE].
    long quotaBytes();
  }

  /// The recovery at open.
  interface RecoveryFigures {
    /// The time that it took in nanoseconds; 0 after a clean close.
    long durationNanos();

    /// Commits replayed.
    long replayedCommits();
  }

  /// Snapshots that are open as of now, and epochs.
  interface SnapshotFigures {
    /// Those that are open, those of transactions too, oldest first.
    List<OpenSnapshot> open();

    /// The current epoch, which rises with each snapshot and checkpoint that finds a change.
    long epoch();

    /// The oldest epoch that a snapshot or checkpoint still shows; what was replaced since then is
    /// not reused. Equal to [#epoch()] if there is none.
    long oldestEpoch();
  }

  /// A snapshot that is open, and so keeps what it shows from being reused.
  interface OpenSnapshot {
    /// The last commit that it shows.
    long lsn();

    /// How long ago it was taken.
    Duration age();

    /// The thread that took it.
    String owner();

    /// The line of code outside of Varve that took it, or null if that is not recorded
    /// ([StoreOptions#snapshotOrigins(boolean)]).
    @Nullable StackTraceElement origin();
  }
}
