package io.varve;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Figures of a store since it was opened, or as of now. A consistent picture is not promised:
/// figures are read one after the other.
///
/// @param commits commits applied
/// @param conflicts commits refused because what they had read was changed concurrently
///   ([ConflictException]), those that [Store#transact] tried again included
/// @param logBytes bytes appended to the log, padding included
/// @param logBytesRetained bytes of log that a recovery would have to consider
/// @param logBytesKept bytes of log that no recovery needs and no backup has taken over yet
///   ([StoreOptions#keepLog(boolean)])
/// @param forces forces of the log (and synchronous writes)
/// @param forceNanosP50 median time of a force, a power-of-two bound in nanoseconds
/// @param forceNanosP99 99th percentile of the time of a force, likewise
/// @param forceTimes the times of all forces
/// @param lastCommit LSN of the newest commit applied
/// @param durableCommit LSN up to which commits would survive loss of power
/// @param cacheBytes bytes of pages in memory
/// @param cacheBytesMax the budget for them
/// @param dirtyBytes bytes of pages in memory that were not written yet
/// @param pageHits reads that found the leaf they wanted in memory, about: threads lose some
/// @param pageMisses reads that did not
/// @param pageLoads pages read from disk, inner ones too
/// @param pageEvictions clean pages dropped from memory
/// @param pageBytesRead bytes read from the page file
/// @param pageBytesWritten bytes written to the page file, by whomever
/// @param checkpoints checkpoints completed
/// @param spills writes of dirty pages between checkpoints, to make room in memory
/// @param checkpointNanos time that all checkpoints took
/// @param checkpointBytes bytes of pages written by checkpoints and, to make room in memory,
///   between them
/// @param lastCheckpointNanos time that the last checkpoint took
/// @param commitPauseNanosMax longest time that a checkpoint or snapshot shut commits out
/// @param fileBytes size of the page file
/// @param freeBytes bytes of it that are free or wait to become free
/// @param diskBytes size of all files of the store: pages, log and reserve
/// @param diskBytesMax the quota for them ([StoreOptions#diskBytesMax()]), or `Long.MAX_VALUE`
/// @param recoveryNanos time that the recovery at open took; 0 after a clean close
/// @param recoveredCommits commits replayed at open
/// @param throttledNanos time that writers were slowed for dirty pages or the log's cap
/// @param epoch the epoch of now, which rises with each snapshot and checkpoint that finds a change
/// @param oldestEpoch the oldest epoch that a snapshot or checkpoint still shows; what was replaced
///   since then is not reused. Equal to `epoch` if there is none
/// @param snapshots snapshots that are open, those of transactions too, oldest first
public record Statistics(
    long commits,
    long conflicts,
    long logBytes,
    long logBytesRetained,
    long logBytesKept,
    long forces,
    long forceNanosP50,
    long forceNanosP99,
    Histogram forceTimes,
    long lastCommit,
    long durableCommit,
    long cacheBytes,
    long cacheBytesMax,
    long dirtyBytes,
    long pageHits,
    long pageMisses,
    long pageLoads,
    long pageEvictions,
    long pageBytesRead,
    long pageBytesWritten,
    long checkpoints,
    long spills,
    long checkpointNanos,
    long checkpointBytes,
    long lastCheckpointNanos,
    long commitPauseNanosMax,
    long fileBytes,
    long freeBytes,
    long diskBytes,
    long diskBytesMax,
    long recoveryNanos,
    long recoveredCommits,
    long throttledNanos,
    long epoch,
    long oldestEpoch,
    List<OpenSnapshot> snapshots) {
  /// Copies the list.
  public Statistics {
    snapshots = List.copyOf(snapshots);
  }

  /// A snapshot that is open, and so keeps what it shows from being reused.
  ///
  /// @param lsn the last commit that it shows
  /// @param age how long ago it was taken
  /// @param owner the thread that took it
  /// @param origin the place in the code outside of Varve that took it, or null if that is not
  ///   recorded ([StoreOptions#snapshotOrigins(boolean)])
  public record OpenSnapshot(
      long lsn, Duration age, String owner, @Nullable StackTraceElement origin) {}
}
