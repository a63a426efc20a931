package io.varve.internal.wal;

import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SegmentAllocator;
import io.varve.internal.wal.segment.SmallLog;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Logs with a small ring and small segments, so that both are soon used again.
final class TestLogs {
  static final StoreId ID = SmallLog.ID;
  static final int RING = SmallLog.RING;
  static final LogSettings SMALL = SmallLog.OPTIONS;

  /// With a ring that begins with one term, as that of a store does.
  static final LogSettings GROWING = SmallLog.GROWING;

  private TestLogs() {}

  static Log create(HookedDisk disk, LogSettings options) {
    return LogRecovery.createLog(disk, Clock.SYSTEM, options, ID);
  }

  /// A new log that asks `checkpoint` to release what it does not need. Nothing is asked for before
  /// it is open.
  static Log createUnderPressure(LogSettings options, Consumer<Log> checkpoint) {
    var opened = new CompletableFuture<Log>();
    Log log =
        create(new HookedDisk(), options.askForCheckpoint(() -> checkpoint.accept(opened.join())));
    opened.complete(log);
    return log;
  }

  static Commits recover(HookedDisk disk, LogPosition from) {
    var commits = new Commits();
    LogRecovery.find(disk, SMALL, ID, from).replay(commits);
    return commits;
  }

  /// Whether the caller prepares segments, rather than writes commits.
  static boolean isKeeper() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames.anyMatch(f -> f.getClassName().equals(SegmentAllocator.class.getName())));
  }
}
