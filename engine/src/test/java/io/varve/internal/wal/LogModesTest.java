package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.Durability;
import io.varve.LogIo;
import io.varve.StoreFailedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.Disk;
import io.varve.internal.disk.FileDisk;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.segment.LogMode;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SmallLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every way to write the log, group commits and wait keeps what the log promises, and what one
/// wrote any other finds.
@Tag("slow")
@Timeout(120)
class LogModesTest {
  private static final int RING = LogSettings.RING_BYTES_MIN;
  private static final int THREADS = 6;

  private static final List<CommitGrouping> GROUPINGS =
      List.of(
          new CommitGrouping.Adaptive(),
          new CommitGrouping.Each(),
          new CommitGrouping.Cooperative(3, Duration.ofNanos(200_000)),
          new CommitGrouping.Flusher(1),
          new CommitGrouping.Flusher(3));

  static List<LogMode> modes() {
    var modes = new ArrayList<LogMode>();
    for (LogIo io : LogIo.values()) {
      for (CommitGrouping grouping : GROUPINGS) {
        for (CommitWait waiting : CommitWait.values()) {
          modes.add(new LogMode(io, grouping, waiting, null));
        }
      }
    }
    return modes;
  }

  /// Each way to write with each grouping, for what does not depend on how threads wait.
  static Stream<LogMode> parking() {
    return modes().stream().filter(mode -> mode.waiting() == CommitWait.PARK);
  }

  private static LogSettings options(LogMode mode) {
    return SmallLog.OPTIONS.mode(mode);
  }

  private static Commits recover(HookedDisk disk) {
    var commits = new Commits();
    LogRecovery.find(disk, SmallLog.OPTIONS, SmallLog.ID, LogPosition.ORIGIN).replay(commits);
    return commits;
  }

  private static Log open(HookedDisk disk, LogSettings options, Commits found) {
    LogRecovery recovery = LogRecovery.find(disk, options, SmallLog.ID, LogPosition.ORIGIN);
    recovery.replay(found);
    return recovery.start(Clock.SYSTEM, LogPosition.ORIGIN);
  }

  /// D1, D2, D3: the power goes while threads of both kinds commit; what was acknowledged to any of
  /// them is there, and so is all before it.
  @ParameterizedTest
  @MethodSource("modes")
  void acknowledgedCommitsOutliveLossOfPower(LogMode mode) throws Exception {
    var disk = new HookedDisk();
    var reported = new AtomicLong();
    HookedDisk after;
    long reportedBefore;
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      var writers = new Writers(log, reported, Durability.POWER_LOSS);
      writers.awaitCommits(10);
      reportedBefore = reported.get();
      after = disk.afterPowerLoss(mode.hashCode());
      writers.stop();
      assertThat(log.durableLsn()).isGreaterThanOrEqualTo(reported.get());
    }
    requireHolds(recover(after), reportedBefore);
    requireHolds(recover(disk), reported.get());
  }

  /// D3: the process dies while threads commit; what was acknowledged to any of them is there,
  /// though no force had ended.
  @ParameterizedTest
  @MethodSource("parking")
  void acknowledgedCommitsOutliveTheirProcess(LogMode mode) throws Exception {
    var disk = new HookedDisk();
    var reported = new AtomicLong();
    HookedDisk after;
    long reportedBefore;
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      var writers = new Writers(log, reported, Durability.PROCESS_CRASH);
      writers.awaitCommits(50);
      reportedBefore = reported.get();
      after = disk.afterProcessCrash();
      writers.stop();
    }
    requireHolds(recover(after), reportedBefore);
  }

  private static void requireHolds(Commits found, long reportedLsn) {
    assertThat(found.found.getLast().endLsn()).isGreaterThanOrEqualTo(reportedLsn);
    assertThat(found.numbers()).isEqualTo(LongStream.range(0, found.found.size()).boxed().toList());
  }

  /// Commits of every kind of size: within a frame, cut into many, and longer than the ring, over
  /// several segments and with a crash and another mode in between.
  @Test
  void whatOneModeWroteEveryOtherFinds() {
    var disk = new HookedDisk();
    long[] sizes = {8, 4096, RING / 8, RING, 3L * RING};
    var expected = new ArrayList<Long>();
    for (LogMode mode : modes()) {
      var found = new Commits();
      try (Log log = open(disk, options(mode), found)) {
        assertThat(found.numbers()).isEqualTo(expected);
        for (long size : sizes) {
          Commits.append(log, expected.size(), size);
          expected.add((long) expected.size());
        }
        Commits.commit(log, expected.size(), 100, Durability.POWER_LOSS);
        expected.add((long) expected.size());
        disk = disk.afterPowerLoss(expected.size());
      }
    }
    assertThat(recover(disk).numbers()).isEqualTo(expected);
  }

  /// Segments that the log uses again held frames of its own, which a mapping shows.
  @ParameterizedTest
  @MethodSource("parking")
  void segmentsAreUsedAgain(LogMode mode) {
    var disk = new HookedDisk();
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      LogPosition middle = log.position();
      for (long i = 0; i < 500; i++) {
        if (i % 20 == 0) {
          log.force();
          middle = log.position();
          log.releaseBefore(middle.lsn());
        }
        Commits.commit(log, i, 3000, i % 7 == 0 ? Durability.POWER_LOSS : Durability.BACKGROUND);
      }
      log.force();
      var found = new Commits();
      LogRecovery.find(disk.afterPowerLoss(1), SmallLog.OPTIONS, SmallLog.ID, middle).replay(found);
      assertThat(found.numbers()).isEqualTo(LongStream.range(480, 500).boxed().toList());
    }
  }

  /// D2: a thread was encoding a frame when its log failed. It continues after the same process has
  /// opened the log again and used its segments again.
  @ParameterizedTest
  @MethodSource("parking")
  void aThreadOfAFailedLogHarmsNoLaterOne(LogMode mode, @TempDir Path directory) {
    try (Disk disk = FileDisk.open(directory, true)) {
      RecordSink late;
      try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
        for (int i = 0; i < 75; i++) {
          Commits.append(log, i, 3000);
        }
        log.force();
        late = log.sink(Commits.reserve(log, 3000), 3000);
        log.fail(new IOException("the disk is broken"));
      }
      LogRecovery recovery = LogRecovery.find(disk, options(mode), SmallLog.ID, LogPosition.ORIGIN);
      assertThat(recovery.replay((_, _, _) -> {})).isPositive();
      LogPosition start;
      try (Log log = recovery.start(Clock.SYSTEM, recovery.end())) {
        Commits.commit(log, 0, 3000, Durability.POWER_LOSS);
        start = log.position();
        log.releaseBefore(start.lsn());
        for (int i = 0; i < 200; i++) {
          Commits.commit(log, i, 3000, Durability.POWER_LOSS);
        }
        late.putBytes(new byte[3000], 0, 3000);
        late.publish();
      }
      var found = new Commits();
      LogRecovery.find(disk, SmallLog.OPTIONS, SmallLog.ID, start).replay(found);
      assertThat(found.numbers()).isEqualTo(LongStream.range(0, 200).boxed().toList());
    }
  }

  /// D4: a failed write or force fails every commit that waits for it and all later ones.
  @ParameterizedTest
  @MethodSource("parking")
  void afterAFailedForceNothingIsAcknowledged(LogMode mode) throws Exception {
    var disk = new HookedDisk();
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      Commits.commit(log, 0, 100, Durability.POWER_LOSS);
      Thread allocator = keeper();
      disk.hook((call, name, _) -> {
        boolean durable = call == HookedDisk.Call.WRITE || call == HookedDisk.Call.FORCE;
        if (durable
            && name.endsWith(LogFiles.SUFFIX)
            && !Thread.currentThread().equals(allocator)) {
          throw new IOException("the disk is broken");
        }
      });
      var refusals = new ConcurrentLinkedQueue<Throwable>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            start(
                i,
                () -> {
                  try {
                    Commits.commit(log, 1, 100, Durability.POWER_LOSS);
                  } catch (RuntimeException e) {
                    refusals.add(e);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(refusals).hasSize(THREADS).allMatch(StoreFailedException.class::isInstance);
      assertThatThrownBy(() -> Commits.commit(log, 2, 100, Durability.POWER_LOSS))
          .isInstanceOf(StoreFailedException.class);
    }
  }

  private static Thread keeper() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("varve-segments"))
        .findFirst()
        .orElseThrow();
  }

  /// An interrupt neither ends a wait nor is lost, and futures are completed in every mode.
  @ParameterizedTest
  @MethodSource("modes")
  void interruptsAndFutures(LogMode mode) throws Exception {
    var disk = new HookedDisk();
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      for (int i = 0; i < 4; i++) {
        int number = i;
        var kept = new ConcurrentLinkedQueue<Boolean>();
        start(
                i,
                () -> {
                  Thread.currentThread().interrupt();
                  long lsn = Commits.commit(log, number, 100, Durability.POWER_LOSS);
                  kept.add(Thread.currentThread().isInterrupted() && log.durableLsn() >= lsn);
                })
            .join();
        assertThat(kept).containsExactly(true);
      }
      long lsn = Commits.append(log, 4, 100);
      log.whenDurable(lsn, Durability.POWER_LOSS).get(60, TimeUnit.SECONDS);
      assertThat(log.durableLsn()).isGreaterThanOrEqualTo(lsn);
    }
    requireHolds(recover(disk), 1);
  }

  /// A commit that no thread waits for is forced within the flush interval.
  @ParameterizedTest
  @MethodSource("parking")
  void theTimerForcesWhatNobodyWaitsFor(LogMode mode) {
    var disk = new HookedDisk();
    LogSettings options = options(mode).flushIntervalNanos(1_000_000);
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options, SmallLog.ID)) {
      long lsn = Commits.commit(log, 0, 100, Durability.BACKGROUND);
      while (log.durableLsn() < lsn) {
        Thread.onSpinWait();
      }
      requireHolds(recover(disk.afterPowerLoss(0)), lsn);
    }
  }

  /// Every commit does its own force, also where another's has covered it.
  @ParameterizedTest
  @MethodSource("parking")
  void eachForcesForItselfAloneIfAsked(LogMode mode) throws Exception {
    var disk = new HookedDisk();
    try (Log log = LogRecovery.createLog(disk, Clock.SYSTEM, options(mode), SmallLog.ID)) {
      long first = Commits.append(log, 0, 100);
      long second = Commits.append(log, 1, 100);
      log.await(second, Durability.POWER_LOSS);
      long forces = log.statistics().forces();
      log.await(first, Durability.POWER_LOSS);
      boolean each = mode.grouping() instanceof CommitGrouping.Each;
      assertThat(log.statistics().forces()).isEqualTo(each ? forces + 1 : forces);
    }
  }

  private static Thread start(int index, Runnable work) {
    return index % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work);
  }

  /// Threads that commit, numbered in commit order, until they are stopped.
  private static final class Writers {
    private static final int STRONG_PER_WEAK = 8;

    private final Object order = new Object();
    private final Log log;
    private final AtomicLong reported;
    private final AtomicLong commits = new AtomicLong();

    /// Lets the weak writer continue, which would fill the log if it waited for nothing.
    private final Semaphore strongCommits = new Semaphore(0);

    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;
    private long next; // guarded by order

    Writers(Log log, AtomicLong reported, Durability strongest) {
      this.log = log;
      this.reported = reported;
      for (int i = 0; i < THREADS; i++) {
        Durability durability = i < THREADS - 1 ? strongest : Durability.BACKGROUND;
        threads.add(start(i, () -> write(durability)));
      }
    }

    private void write(Durability durability) {
      try {
        while (!stopped) {
          long lsn;
          synchronized (order) {
            lsn = Commits.append(log, next++, 40 + next % 3000);
          }
          log.await(lsn, durability);
          if (durability != Durability.BACKGROUND) {
            reported.accumulateAndGet(lsn, Math::max);
            commits.incrementAndGet();
            strongCommits.release();
          } else {
            strongCommits.acquire(STRONG_PER_WEAK);
          }
        }
      } catch (InterruptedException | RuntimeException e) {
        failures.add(e);
      }
    }

    void awaitCommits(long count) {
      while (commits.get() < count && failures.isEmpty()) {
        Thread.onSpinWait();
      }
    }

    void stop() throws InterruptedException {
      stopped = true;
      strongCommits.release(STRONG_PER_WEAK);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
    }
  }
}
