package io.varve.control.internal;

import io.varve.Histogram;
import io.varve.Statistics;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [Statistics] as they are sent: records by part, and nothing that JSON has no type for.
///
/// @param commits the part
/// @param log the part
/// @param cache the part
/// @param checkpoints the part
/// @param disk the part
/// @param recovery the part
/// @param snapshots the part
public record StatisticsImage(
    Commits commits,
    Log log,
    Cache cache,
    Checkpoints checkpoints,
    Disk disk,
    Recovery recovery,
    Snapshots snapshots) {

  /// The part of that name.
  public record Commits(
      long applied,
      long conflicts,
      long lastLsn,
      long durableLsn,
      long throttledNanos,
      long pauseNanosMax)
      implements Statistics.CommitFigures {}

  /// The part of that name. Times of forces are counts by powers of two.
  public record Log(
      long appendedBytes,
      long retainedBytes,
      long archivedBytes,
      long forces,
      long[] forceCounts,
      long forceTotalNanos,
      LogWaits waits) {}

  /// The part of that name of the log.
  public record LogWaits(long bufferNanos, long segmentNanos, long checkpointNanos)
      implements Statistics.LogWaitFigures {}

  /// The part of that name.
  public record Cache(
      long usedBytes,
      long budgetBytes,
      long dirtyBytes,
      long hits,
      long misses,
      long loads,
      long evictions,
      OffHeap offHeap)
      implements Statistics.CacheFigures {}

  /// The part of that name of the cache.
  public record OffHeap(
      long usedBytes, long budgetBytes, long images, long hits, long misses, long evictions)
      implements Statistics.OffHeapFigures {}

  /// The part of that name.
  public record Checkpoints(
      long count, long spills, long totalNanos, long lastNanos, long writtenBytes)
      implements Statistics.CheckpointFigures {}

  /// The part of that name.
  public record Disk(
      long readBytes,
      long writtenBytes,
      long pageFileBytes,
      long freeBytes,
      long usedBytes,
      long quotaBytes)
      implements Statistics.DiskFigures {}

  /// The part of that name.
  public record Recovery(long durationNanos, long replayedCommits)
      implements Statistics.RecoveryFigures {}

  /// The part of that name.
  public record Snapshots(List<Open> open, long epoch, long oldestEpoch) {}

  /// A snapshot that is open.
  public record Open(long lsn, long ageNanos, String owner, @Nullable Origin origin) {}

  /// Where one was taken.
  public record Origin(String type, String method, @Nullable String file, int line) {}

  static StatisticsImage of(Statistics now) {
    return new StatisticsImage(
        commits(now.commits()),
        log(now.log()),
        cache(now.cache()),
        checkpoints(now.checkpoints()),
        disk(now.disk()),
        new Recovery(now.recovery().durationNanos(), now.recovery().replayedCommits()),
        new Snapshots(
            now.snapshots().open().stream().map(StatisticsImage::open).toList(),
            now.snapshots().epoch(),
            now.snapshots().oldestEpoch()));
  }

  private static Commits commits(Statistics.CommitFigures of) {
    return new Commits(
        of.applied(),
        of.conflicts(),
        of.lastLsn(),
        of.durableLsn(),
        of.throttledNanos(),
        of.pauseNanosMax());
  }

  private static Log log(Statistics.LogFigures of) {
    Histogram times = of.forceTimes();
    return new Log(
        of.appendedBytes(),
        of.retainedBytes(),
        of.archivedBytes(),
        of.forces(),
        times.counts(),
        times.totalNanos(),
        new LogWaits(
            of.waits().bufferNanos(), of.waits().segmentNanos(), of.waits().checkpointNanos()));
  }

  private static Cache cache(Statistics.CacheFigures of) {
    return new Cache(
        of.usedBytes(),
        of.budgetBytes(),
        of.dirtyBytes(),
        of.hits(),
        of.misses(),
        of.loads(),
        of.evictions(),
        offHeap(of.offHeap()));
  }

  private static OffHeap offHeap(Statistics.OffHeapFigures of) {
    return new OffHeap(
        of.usedBytes(), of.budgetBytes(), of.images(), of.hits(), of.misses(), of.evictions());
  }

  private static Checkpoints checkpoints(Statistics.CheckpointFigures of) {
    return new Checkpoints(
        of.count(), of.spills(), of.totalNanos(), of.lastNanos(), of.writtenBytes());
  }

  private static Disk disk(Statistics.DiskFigures of) {
    return new Disk(
        of.readBytes(),
        of.writtenBytes(),
        of.pageFileBytes(),
        of.freeBytes(),
        of.usedBytes(),
        of.quotaBytes());
  }

  private static Open open(Statistics.OpenSnapshot of) {
    StackTraceElement at = of.origin();
    return new Open(
        of.lsn(),
        of.age().toNanos(),
        of.owner(),
        at == null
            ? null
            : new Origin(
                at.getClassName(), at.getMethodName(), at.getFileName(), at.getLineNumber()));
  }

  /// The figures that this stands for.
  Statistics figures() {
    return new ReceivedStatistics(this);
  }

  /// [Statistics] of another process.
  private record ReceivedStatistics(StatisticsImage image) implements Statistics {
    @Override
    public CommitFigures commits() {
      return image.commits();
    }

    @Override
    public LogFigures log() {
      return new ReceivedLog(image.log());
    }

    @Override
    public CacheFigures cache() {
      return image.cache();
    }

    @Override
    public CheckpointFigures checkpoints() {
      return image.checkpoints();
    }

    @Override
    public DiskFigures disk() {
      return image.disk();
    }

    @Override
    public RecoveryFigures recovery() {
      return image.recovery();
    }

    @Override
    public SnapshotFigures snapshots() {
      return new ReceivedSnapshots(image.snapshots());
    }
  }

  private record ReceivedLog(Log image) implements Statistics.LogFigures {
    @Override
    public long appendedBytes() {
      return image.appendedBytes();
    }

    @Override
    public long retainedBytes() {
      return image.retainedBytes();
    }

    @Override
    public long archivedBytes() {
      return image.archivedBytes();
    }

    @Override
    public long forces() {
      return image.forces();
    }

    @Override
    public Histogram forceTimes() {
      return Histogram.of(image.forceCounts(), image.forceTotalNanos());
    }

    @Override
    public Statistics.LogWaitFigures waits() {
      return image.waits();
    }
  }

  private record ReceivedSnapshots(Snapshots image) implements Statistics.SnapshotFigures {
    @Override
    public List<Statistics.OpenSnapshot> open() {
      return image.open().stream().<Statistics.OpenSnapshot>map(ReceivedSnapshot::new).toList();
    }

    @Override
    public long epoch() {
      return image.epoch();
    }

    @Override
    public long oldestEpoch() {
      return image.oldestEpoch();
    }
  }

  private record ReceivedSnapshot(Open image) implements Statistics.OpenSnapshot {
    @Override
    public long lsn() {
      return image.lsn();
    }

    @Override
    public Duration age() {
      return Duration.ofNanos(image.ageNanos());
    }

    @Override
    public String owner() {
      return image.owner();
    }

    @Override
    public @Nullable StackTraceElement origin() {
      Origin at = image.origin();
      return at == null
          ? null
          : new StackTraceElement(at.type(), at.method(), at.file(), at.line());
    }
  }
}
