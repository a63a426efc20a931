package io.varve.internal.wal;

import static io.varve.internal.wal.TestLogs.GROWING;
import static io.varve.internal.wal.TestLogs.ID;
import static io.varve.internal.wal.TestLogs.RING;
import static io.varve.internal.wal.TestLogs.SMALL;
import static io.varve.internal.wal.TestLogs.create;
import static io.varve.internal.wal.TestLogs.createUnderPressure;
import static io.varve.internal.wal.TestLogs.recover;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CommitGrouping;
import io.varve.CommitWait;
import io.varve.Durability;
import io.varve.LogIo;
import io.varve.StoreClosedException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.ManualClock;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.group.LogStatistics;
import io.varve.internal.wal.segment.LogMode;
import io.varve.internal.wal.segment.LogSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LogTest {
  @Test
  void commitsOfEverySizeComeBack() {
    var disk = new HookedDisk();
    var expected = new ArrayList<Commits.Commit>();
    var sizes = new ArrayList<Long>();
    int frame = FrameHeader.frameBytesMax(RING) - FrameHeader.BODY;
    for (long size = 8; size < 80; size++) {
      sizes.add(size);
    }
    for (long around : new long[] {4096, frame, 2L * frame, RING, 3L * RING, 9L * RING}) {
      for (long size = around - 20; size < around + 20; size++) {
        sizes.add(size);
      }
    }
    Collections.shuffle(sizes, new java.util.Random(1));
    Log log = create(disk, SMALL);
    LogPosition start = log.position();
    try (log) {
      for (long size : sizes) {
        long at = Commits.reserve(log, size);
        Commits.write(log, at, expected.size(), size);
        expected.add(new Commits.Commit(at, log.endOf(at, size), expected.size(), size));
      }
    }
    assertThat(recover(disk, start).found).isEqualTo(expected);
  }

  @Test
  void aDurableCommitIsForcedWhenItReturns() {
    var disk = new HookedDisk();
    try (Log log = create(disk, SMALL)) {
      for (long i = 0; i < 50; i++) {
        long lsn = Commits.commit(log, i, 100, Durability.POWER_LOSS);
        assertThat(log.durableLsn()).isGreaterThanOrEqualTo(lsn);
        var survivors = recover(disk.afterPowerLoss(i), LogPosition.ORIGIN);
        assertThat(survivors.numbers()).hasSize((int) i + 1);
      }
      LogStatistics statistics = log.statistics();
      assertThat(statistics.records()).isEqualTo(50);
      assertThat(statistics.recordBytes()).isEqualTo(50 * (100 + FrameHeader.BODY));
      assertThat(statistics.bytes()).isEqualTo(50 * FrameHeader.BLOCK);
      assertThat(statistics.forces()).isGreaterThanOrEqualTo(50);
      assertThat(statistics.forceNanos().count()).isEqualTo(statistics.forces());
      assertThatThrownBy(() -> log.await(log.tailLsn() + 1, Durability.POWER_LOSS))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /// Guards against a batch acknowledged before one in front of it, and against frames lost between
  /// ring and segment: threads commit with all durabilities, and the process or the power ends at
  /// any time. What is found must be a prefix that holds everything acknowledged.
  @Test
  void whatSurvivesIsAPrefixWithAllThatWasAcknowledged() throws InterruptedException {
    for (int seed = 0; seed < 40; seed++) {
      boolean virtual = seed % 2 == 1;
      boolean power = seed % 4 >= 2;
      var disk = new HookedDisk();
      LogSettings options = seed % 8 < 4 ? SMALL : GROWING;
      Log log = create(disk, options.flusherCount(1 + seed % 3));
      var appended = new ConcurrentSkipListMap<Long, Long>(); // by commit LSN
      var acknowledgedAgainstPower = new AtomicLong();
      var acknowledgedAgainstCrash = new AtomicLong();
      var stop = new AtomicBoolean();
      var threads = new ArrayList<Thread>();
      var numbers = new AtomicLong();
      for (int t = 0; t < 6; t++) {
        var random = new SplittableRandom(seed * 100L + t);
        Runnable work =
            () -> {
              while (!stop.get()) {
                long number = numbers.incrementAndGet();
                long size = 8 + random.nextInt(random.nextInt(20) == 0 ? 100_000 : 300);
                long start = Commits.reserve(log, size);
                long lsn = log.endOf(start, size);
                appended.put(lsn, number);
                Commits.write(log, start, number, size);
                switch (random.nextInt(4)) {
                  case 0 -> {
                    log.await(lsn, Durability.POWER_LOSS);
                    acknowledgedAgainstPower.accumulateAndGet(lsn, Math::max);
                    acknowledgedAgainstCrash.accumulateAndGet(lsn, Math::max);
                  }
                  case 1 -> {
                    log.await(lsn, Durability.PROCESS_CRASH);
                    acknowledgedAgainstCrash.accumulateAndGet(lsn, Math::max);
                  }
                  case 2 -> log.await(lsn, Durability.BACKGROUND);
                  default -> log.whenDurable(lsn, Durability.POWER_LOSS).join();
                }
              }
            };
        threads.add(virtual ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
      }
      while (numbers.get() < 400) {
        Thread.onSpinWait();
      }
      long acknowledged = power ? acknowledgedAgainstPower.get() : acknowledgedAgainstCrash.get();
      HookedDisk after = power ? disk.afterPowerLoss(seed) : disk.afterProcessCrash();
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      log.close();

      Commits found = recover(after, LogPosition.ORIGIN);
      long end = found.found.isEmpty() ? 0 : found.found.getLast().endLsn();
      assertThat(end).as("seed " + seed).isGreaterThanOrEqualTo(acknowledged);
      assertThat(found.numbers())
          .as("seed " + seed)
          .isEqualTo(List.copyOf(appended.headMap(end, true).values()));
      assertThat(recover(disk, LogPosition.ORIGIN).numbers())
          .as("all of it, after a close")
          .isEqualTo(List.copyOf(appended.values()));
    }
  }

  @Test
  void interruptsNeitherEndAWaitNorGetLost() throws InterruptedException {
    var disk = new HookedDisk();
    var failures = new ArrayList<Throwable>();
    var numbers = new AtomicLong();
    try (Log log = create(disk, SMALL)) {
      var running = new AtomicInteger(4);
      var threads = new ArrayList<Thread>();
      for (int t = 0; t < 4; t++) {
        Runnable work =
            () -> {
              try {
                for (int i = 0; i < 300; i++) {
                  Thread.currentThread().interrupt();
                  long size = i % 50 == 0 ? 2 * RING : 500;
                  long lsn = Commits.append(log, numbers.incrementAndGet(), size);
                  log.await(lsn, Durability.values()[i % 3]);
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
              } catch (Throwable e) {
                synchronized (failures) {
                  failures.add(e);
                }
              } finally {
                running.decrementAndGet();
              }
            };
        threads.add(t % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
      }
      while (running.get() > 0) {
        threads.forEach(Thread::interrupt);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(failures).isEmpty();
    assertThat(recover(disk, LogPosition.ORIGIN).found).hasSize(1200);
  }

  /// Also a commit that waits for the record before it, and not for a force.
  @Test
  void whatWaitsForAnotherRecordIsCompletedByWhomTheModeNames() throws InterruptedException {
    BlockingQueue<Runnable> given = new LinkedBlockingQueue<>();
    LogMode mode =
        new LogMode(LogIo.DIRECT, new CommitGrouping.Adaptive(), CommitWait.ADAPTIVE, given::add);
    Log log = create(new HookedDisk(), SMALL.mode(mode));
    log.awaitCapacity(200);
    long before = log.tryReserve(100);
    long later = Commits.append(log, 2, 100);
    CompletableFuture<Void> future = log.whenDurable(later, Durability.PROCESS_CRASH);
    Commits.write(log, before, 1, 100);
    Runnable task = given.poll(20, TimeUnit.SECONDS);
    assertThat(task).as("what completes the future").isNotNull();
    assertThat(future).isNotDone();
    task.run();
    assertThat(future).isCompleted();
    log.close();
  }

  /// Where no thread was named, one thread of the log waits for records, of one commit after the
  /// other.
  @Test
  void whatWaitedForARecordDoesNotWaitForThoseAfterIt() throws Exception {
    Log log = create(new HookedDisk(), SMALL);
    log.awaitCapacity(400);
    long first = log.tryReserve(100);
    long afterFirst = Commits.append(log, 2, 100);
    long second = log.tryReserve(100);
    long afterSecond = Commits.append(log, 4, 100);
    var one = log.whenDurable(afterFirst, Durability.PROCESS_CRASH);
    var other = log.whenDurable(afterSecond, Durability.PROCESS_CRASH);
    Commits.write(log, first, 1, 100);
    one.get(20, TimeUnit.SECONDS);
    assertThat(other).isNotDone();
    Commits.write(log, second, 3, 100);
    other.get(20, TimeUnit.SECONDS);
    log.close();
  }

  /// Guards against frames of an earlier use of a segment being taken for the log.
  @Test
  void segmentsAreUsedAgainAndTheirOldRecordsStayDead() {
    var disk = new HookedDisk();
    Log log = create(disk, SMALL.spareSegmentsMax(1));
    LogPosition checkpoint = log.position();
    var random = new SplittableRandom(3);
    long checkpointed = 0;
    for (long i = 1; i <= 4000; i++) {
      Commits.commit(log, i, 8 + random.nextInt(900), Durability.values()[random.nextInt(3)]);
      if (i % 500 == 0) {
        log.force();
        checkpoint = log.position();
        checkpointed = i;
        log.releaseBefore(checkpoint.lsn());
      }
      if (i % 97 == 0) {
        List<Long> found = recover(disk.afterProcessCrash(), checkpoint).numbers();
        assertThat(found)
            .isEqualTo(
                java.util.stream.LongStream.rangeClosed(checkpointed + 1, i).boxed().toList());
      }
    }
    assertThat(disk.usedBytes()).isLessThan(6 * 4 * RING);
    log.close();
  }

  @Test
  void afterCloseNothingCanBeAppended() {
    Log log = create(new HookedDisk(), SMALL);
    long lsn = Commits.append(log, 1, 100);
    log.close();
    log.close();
    assertThat(log.durableLsn()).isGreaterThanOrEqualTo(lsn);
    log.await(lsn, Durability.POWER_LOSS);
    assertThat(log.tryReserve(100)).isEqualTo(Log.NO_CAPACITY);
    assertThatThrownBy(() -> log.awaitCapacity(100)).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void aDiscardedLogLeavesNothingAndContinuesFromItsPosition() {
    var disk = new HookedDisk();
    LogPosition position = LogPosition.ORIGIN;
    long number = 0;
    for (int open = 0; open < 4; open++) {
      LogRecovery recovery = LogRecovery.find(disk, SMALL, ID, position);
      var commits = new Commits();
      recovery.replay(commits);
      assertThat(commits.found).isEmpty();
      Log log = recovery.start(Clock.SYSTEM, position);
      for (int i = 0; i < 100; i++) {
        long lsn = Commits.commit(log, number++, 1000, Durability.PROCESS_CRASH);
        assertThat(lsn).isGreaterThan(position.lsn());
      }
      LogPosition before = position;
      assertThat(recover(disk.afterProcessCrash(), before).found).hasSize(100);
      position = log.position().atCleanClose();
      log.closeAndDiscard();
      assertThat(disk.list("log")).isEmpty();
    }
  }

  @Test
  void backgroundCommitsAreForcedByTheClock() {
    var clock = new ManualClock();
    var disk = new HookedDisk();
    Log log = LogRecovery.createLog(disk, clock, SMALL.flushIntervalNanos(1000), ID);
    for (int i = 0; i < 20; i++) {
      long lsn = Commits.commit(log, i, 100, Durability.BACKGROUND);
      assertThat(log.durableLsn()).isLessThan(lsn);
      while (log.durableLsn() < lsn) {
        clock.advance(100);
        Thread.onSpinWait();
      }
    }
    log.close();
  }

  /// D5: a strong commit is not starved by weak ones, though they fill the ring all the time.
  @Test
  void strongCommitsGetThroughAmongWeakOnes() throws InterruptedException {
    Log log =
        createUnderPressure(
            SMALL.logBytesMax(1L << 40), opened -> opened.releaseBefore(opened.durableLsn()));
    var stop = new AtomicBoolean();
    var weak = new ArrayList<Thread>();
    for (int t = 0; t < 3; t++) {
      weak.add(
          Thread.ofPlatform()
              .start(() -> {
                while (!stop.get()) {
                  Commits.commit(log, 1, 200, Durability.BACKGROUND);
                  log.releaseBefore(log.durableLsn());
                }
              }));
    }
    for (int i = 0; i < 500; i++) {
      Commits.commit(log, 2, 200, Durability.POWER_LOSS);
    }
    stop.set(true);
    for (Thread thread : weak) {
      thread.join();
    }
    log.close();
  }

  @Test
  void aSinkTakesExactlyWhatWasReserved() {
    try (Log log = create(new HookedDisk(), SMALL)) {
      long start = Commits.reserve(log, 10);
      RecordSink sink = log.sink(start, 10);
      sink.putLong(1);
      assertThatThrownBy(sink::publish).isInstanceOf(IllegalStateException.class);
      sink.putByte(2);
      sink.putByte(3);
      assertThatThrownBy(() -> sink.putByte(4)).isInstanceOf(IndexOutOfBoundsException.class);
      sink.publish();
      assertThatThrownBy(sink::publish).isInstanceOf(IllegalStateException.class);
      log.await(log.endOf(start, 10), Durability.POWER_LOSS);
    }
  }

  @Test
  void bodiesReadBackAsTheyWereWritten() {
    var disk = new HookedDisk();
    long[] varints = {0, 1, 127, 128, 16383, 16384, -1, Long.MAX_VALUE, Long.MIN_VALUE};
    int length = 0;
    for (long value : varints) {
      length += RecordSink.varintBytes(value);
    }
    // The second body is cut into frames at every offset of an int and a long.
    int repeats = 4 * RING / 13;
    try (Log log = create(disk, SMALL)) {
      long start = Commits.reserve(log, length + 13);
      RecordSink sink = log.sink(start, length + 13);
      for (long value : varints) {
        sink.putVarint(value);
      }
      sink.putByte(200);
      sink.putInt(0x81828384);
      sink.putLong(0x9192939495969798L);
      sink.publish();
      sink = log.sink(Commits.reserve(log, 13L * repeats), 13L * repeats);
      for (int i = 0; i < repeats; i++) {
        sink.putByte(i);
        sink.putInt(i * 77);
        sink.putLong(i * 123456789L);
      }
      sink.publish();
    }
    var seen = new AtomicInteger();
    LogRecovery.find(disk, SMALL, ID, LogPosition.ORIGIN)
        .replay((_, _, body) -> {
          if (seen.getAndIncrement() == 0) {
            for (long value : varints) {
              assertThat(body.getVarint()).isEqualTo(value);
            }
            assertThat(body.getByte()).isEqualTo((byte) 200);
            assertThat(body.getInt()).isEqualTo(0x81828384);
            assertThat(body.getLong()).isEqualTo(0x9192939495969798L);
            assertThatThrownBy(body::getByte).isInstanceOf(IndexOutOfBoundsException.class);
          } else {
            for (int i = 0; i < repeats; i++) {
              assertThat(body.getByte()).isEqualTo((byte) i);
              assertThat(body.getInt()).isEqualTo(i * 77);
              assertThat(body.getLong()).isEqualTo(i * 123456789L);
            }
          }
          assertThat(body.remaining()).isZero();
        });
    assertThat(seen).hasValue(2);
  }
}
