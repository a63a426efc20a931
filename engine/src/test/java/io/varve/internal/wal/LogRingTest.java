package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.disk.HookedDisk.Call;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SmallLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How the ring of a log doubles with use, and what keeps it short.
@Timeout(60)
class LogRingTest {
  private static final int VERSION_AT = 8;
  private static final int RING = SmallLog.RING;
  private static final LogSettings GROWING = SmallLog.GROWING;

  private static Log create(HookedDisk disk) {
    return LogRecovery.createLog(disk, Clock.SYSTEM, GROWING, SmallLog.ID);
  }

  private static Commits recover(HookedDisk disk) {
    return TestLogs.recover(disk, LogPosition.ORIGIN);
  }

  private static int ringBytes(HookedDisk disk) {
    return disk.content(LogFiles.RING).length;
  }

  /// Commits that fill half of a ring of one term each.
  private static void commit(Log log, long from, long to) {
    for (long i = from; i <= to; i++) {
      Commits.commit(log, i, RING / 2, Durability.PROCESS_CRASH);
    }
  }

  /// Guards against frames that are encoded in a ring of one length and read in one of another:
  /// each commit leaves the ring fuller than it may be, so that it doubles under those that follow.
  @Test
  void aRingDoublesUnderCommitsAndIsRecovered() {
    var disk = new HookedDisk();
    var sizes = new ArrayList<Integer>();
    Log log = create(disk);
    assertThat(ringBytes(disk)).isEqualTo(RING);
    for (long i = 1; i <= 400; i++) {
      Commits.commit(log, i, 8 + i * 7919 % (RING / 2), Durability.PROCESS_CRASH);
      sizes.add(ringBytes(disk));
      if (i % 20 == 0) {
        Commits found = recover(disk.afterProcessCrash());
        assertThat(found.found).as("of " + i).hasSize((int) i);
      }
    }
    log.close();
    assertThat(sizes).isSorted().contains(2 * RING);
    assertThat(sizes.getLast()).isBetween(2 * RING, 8 * RING);
  }

  /// The ring of a store whose commits are few at a time stays short, however many there are.
  @Test
  void aRingThatIsNeverFilledStaysShort() {
    var disk = new HookedDisk();
    try (Log log = create(disk)) {
      for (long i = 1; i <= 100; i++) {
        Commits.commit(log, i, 100, Durability.POWER_LOSS);
      }
      assertThat(ringBytes(disk)).isEqualTo(RING);
      assertThat(versions(disk)).containsOnly(1);
    }
  }

  /// A store that wrote a multiple of its ring is busy: short batches would cost it more than a
  /// longer ring, although none of its commits fills half.
  @Test
  void aRingThatMuchIsWrittenThroughDoubles() {
    var disk = new HookedDisk();
    try (Log log = create(disk)) {
      for (long i = 1; i <= 5; i++) {
        Commits.commit(log, i, RING / 3, Durability.POWER_LOSS);
      }
      assertThat(ringBytes(disk)).isEqualTo(RING);
      for (long i = 6; i <= 60; i++) {
        Commits.commit(log, i, RING / 3, Durability.POWER_LOSS);
      }
      assertThat(ringBytes(disk)).isGreaterThan(RING);
    }
    assertThat(recover(disk).found).hasSize(60);
  }

  /// A disk that is too full for a longer ring leaves it as it is, refuses nothing, and is not
  /// asked with each commit.
  @Test
  void aRingOnAFullDiskStaysShort() {
    var disk = new HookedDisk();
    int commits = 60;
    try (Log log = create(disk)) {
      Commits.commit(log, 1, 8, Durability.POWER_LOSS);
      log.awaitCapacity((commits + 4) * RING / 2);
      disk.capacityBytes(disk.usedBytes() + RING);
      long before = disk.capacityQueries();
      commit(log, 2, commits);
      assertThat(ringBytes(disk)).isEqualTo(RING);
      assertThat(disk.capacityQueries() - before).isLessThanOrEqualTo(1 + commits / 16L);
    }
    assertThat(recover(disk).found).hasSize(commits);
  }

  private enum Lack {
    FILES(Call.OPEN, new IOException("too many open files")),
    DISK(Call.WRITE, new IOException("input/output error")),
    MAPPINGS(Call.MAP, new IOException("map failed")),
    MEMORY(Call.MAP, new OutOfMemoryError("map failed"));

    final Call call;
    final Throwable thrown;

    Lack(Call call, Throwable thrown) {
      this.call = call;
      this.thrown = thrown;
    }

    void raise() throws IOException {
      switch (thrown) {
        case IOException e -> throw e;
        case Error e -> throw e;
        default -> throw new AssertionError(thrown);
      }
    }
  }

  /// (GROWTH-1) Guards against a store that fails for a lack of what only makes it faster.
  @Test
  void aRingThatCannotBeLongerStaysShortAndIsTriedAgain() throws InterruptedException {
    for (Lack lack : Lack.values()) {
      var disk = new HookedDisk();
      var attempts = new AtomicInteger();
      Log log = create(disk);
      disk.hook((call, name, _) -> {
        if (call == lack.call && name.equals(LogFiles.RING)) {
          attempts.incrementAndGet();
          lack.raise();
        }
      });
      int commits = 0;
      try (var reports = new Reports()) {
        while (attempts.get() < 2) {
          commit(log, ++commits, commits);
        }
        assertThat(commits).as("commits by %s", lack).isGreaterThanOrEqualTo(16);
        while (ringBytes(disk) != RING) {
          Thread.sleep(1); // it is being cut again
        }
        assertThat(log.failure()).as("failure by %s", lack).isNull();
        reports.awaitOne();
        disk.hook((_, _, _) -> {});
        while (ringBytes(disk) == RING) {
          commit(log, ++commits, commits);
        }
        assertThat(reports.messages).hasSize(1);
      }
      assertThat(recover(disk.afterProcessCrash()).found).hasSize(commits);
      log.close();
    }
  }

  /// What is reported of a ring.
  private static final class Reports extends Handler implements AutoCloseable {
    final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger("io.varve.internal.wal.segment.RingGrowth");

    Reports() {
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord report) {
      messages.add(report.getMessage());
    }

    void awaitOne() throws InterruptedException {
      while (messages.isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(messages).hasSize(1);
      assertThat(messages.peek()).contains("ring of the log cannot be made longer", "bytesMax=");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
    }
  }

  /// Guards against an earlier release that opens a log of which it would find a part alone: from
  /// the first frame on that is where only a longer ring has it, its segment has another version.
  @Test
  void segmentsStateThatTheRingBecameLonger() {
    var disk = new HookedDisk();
    Log log = create(disk);
    Commits.commit(log, 1, 8, Durability.POWER_LOSS);
    assertThat(versions(disk)).containsOnly(1);
    long i = 1;
    while (ringBytes(disk) == RING) {
      commit(log, ++i, i);
    }
    assertThat(versions(disk)).contains(3);
    commit(log, i + 1, i + 40);
    assertThat(versions(disk).getLast()).isEqualTo(3);
    HookedDisk killed = disk.afterProcessCrash();
    assertThat(recover(killed).found).hasSize((int) i + 40);
    log.close();
  }

  /// The versions of all segments, in the order of their names. One that is being made by the log's
  /// thread may have no header yet.
  private static List<Integer> versions(HookedDisk disk) {
    return segments(disk).stream()
        .map(disk::content)
        .filter(segment -> segment.length >= VERSION_AT + Integer.BYTES)
        .map(segment -> ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN).getInt(VERSION_AT))
        .filter(version -> version != 0)
        .toList();
  }

  private static List<String> segments(HookedDisk disk) {
    return disk.list(LogFiles.DIRECTORY).stream()
        .filter(name -> name.endsWith(LogFiles.SUFFIX))
        .map(name -> LogFiles.DIRECTORY + "/" + name)
        .toList();
  }

  /// Guards against commits that a salvage does not find since no header states the length of a
  /// term any more: those in the ring, and those around the ends of terms in the segments.
  @Test
  void aSalvageFindsAllWithoutHeaders() throws IOException {
    for (long seed = 0; seed < 40; seed++) {
      var disk = new HookedDisk();
      Log log = create(disk);
      long count = 8 + 3 * seed;
      for (long i = 1; i <= count; i++) {
        long bytes = 8 + (i * 7919 + seed * 104_729) % (i % 10 == 0 ? 3 * RING : RING / 2);
        boolean forced = i < count / 2;
        Commits.commit(log, i, bytes, forced ? Durability.POWER_LOSS : Durability.PROCESS_CRASH);
      }
      HookedDisk killed = disk.afterProcessCrash();
      for (String name : segments(killed)) {
        try (var file = killed.open(name)) {
          file.write(0, ByteBuffer.allocate(SegmentHeader.BYTES));
        }
      }
      var found = new Commits();
      var losses = new ArrayList<String>();
      try (LogSalvage salvage =
          LogSalvage.open(killed, SmallLog.ID, null, (_, _, what) -> losses.add(what))) {
        salvage.read(null, found);
      }
      assertThat(found.found).as("seed %d, losses %s", seed, losses).hasSize((int) count);
      assertThat(losses).as("seed " + seed).isEmpty();
      log.close();
    }
  }
}
