package io.varve.internal.store;

import io.varve.Histogram;
import io.varve.Statistics;
import io.varve.internal.cache.OffHeapCounts;
import io.varve.internal.cache.PageCache;
import io.varve.internal.wal.segment.LogWaits;
import java.util.List;

/// The figures of a store as values.
record StoreFigures(
    CommitFigures commits,
    LogFigures log,
    CacheFigures cache,
    CheckpointFigures checkpoints,
    DiskFigures disk,
    RecoveryFigures recovery,
    SnapshotFigures snapshots)
    implements Statistics {

  record CommitValues(
      long applied,
      long conflicts,
      long lastLsn,
      long durableLsn,
      long throttledNanos,
      long pauseNanosMax)
      implements CommitFigures {}

  record LogValues(
      long appendedBytes,
      long retainedBytes,
      long archivedBytes,
      long forces,
      Histogram forceTimes,
      LogWaitFigures waits)
      implements LogFigures {
    /// Of a store that has no log.
    static final LogValues NONE =
        new LogValues(0, 0, 0, 0, Histogram.EMPTY, new LogWaitValues(0, 0, 0));
  }

  record LogWaitValues(long bufferNanos, long segmentNanos, long checkpointNanos)
      implements LogWaitFigures {
    static LogWaitValues of(LogWaits waits) {
      return new LogWaitValues(waits.bufferNanos(), waits.segmentNanos(), waits.checkpointNanos());
    }
  }

  record CacheValues(
      long usedBytes,
      long budgetBytes,
      long dirtyBytes,
      long hits,
      long misses,
      long loads,
      long evictions,
      OffHeapFigures offHeap)
      implements CacheFigures {
    static CacheValues of(PageCache cache) {
      return new CacheValues(
          cache.bytes(),
          cache.bytesMax(),
          cache.dirtyBytes(),
          cache.hits(),
          cache.misses(),
          cache.loads(),
          cache.evictions(),
          OffHeapValues.of(cache));
    }
  }

  record OffHeapValues(
      long usedBytes, long budgetBytes, long images, long hits, long misses, long evictions)
      implements OffHeapFigures {
    static OffHeapValues of(PageCache cache) {
      OffHeapCounts counts = cache.offHeapCounts();
      return new OffHeapValues(
          counts.bytes(),
          cache.offHeapBytesMax(),
          counts.images(),
          counts.hits(),
          counts.misses(),
          counts.evictions());
    }
  }

  record CheckpointValues(
      long count, long spills, long totalNanos, long lastNanos, long writtenBytes)
      implements CheckpointFigures {
    /// Of a store that writes none.
    static final CheckpointValues NONE = new CheckpointValues(0, 0, 0, 0, 0);
  }

  record DiskValues(
      long readBytes,
      long writtenBytes,
      long pageFileBytes,
      long freeBytes,
      long usedBytes,
      long quotaBytes)
      implements DiskFigures {}

  record RecoveryValues(long durationNanos, long replayedCommits) implements RecoveryFigures {
    /// Of a store that was closed cleanly, or is new.
    static final RecoveryValues NONE = new RecoveryValues(0, 0);
  }

  record SnapshotValues(List<OpenSnapshot> open, long epoch, long oldestEpoch)
      implements SnapshotFigures {
    SnapshotValues {
      open = List.copyOf(open);
    }
  }
}
