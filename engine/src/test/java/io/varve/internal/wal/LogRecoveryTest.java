package io.varve.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.CorruptStoreException;
import io.varve.Durability;
import io.varve.StoreFailedException;
import io.varve.StoreIoException;
import io.varve.VarveException;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.DiskFile;
import io.varve.internal.disk.FileOption;
import io.varve.internal.disk.HookedDisk;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.format.LogFiles;
import io.varve.internal.wal.format.LogPosition;
import io.varve.internal.wal.format.SegmentHeader;
import io.varve.internal.wal.format.StoreId;
import io.varve.internal.wal.segment.LogSettings;
import io.varve.internal.wal.segment.SmallLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LogRecoveryTest {
  private static final StoreId ID = SmallLog.ID;
  private static final int RING = SmallLog.RING;
  private static final LogSettings SMALL = SmallLog.OPTIONS;

  private static Commits recover(HookedDisk disk) {
    return TestLogs.recover(disk, LogPosition.ORIGIN);
  }

  private static Log open(HookedDisk disk, LogPosition from) {
    LogRecovery recovery = LogRecovery.find(disk, SMALL, ID, from);
    recovery.replay(new Commits());
    return recovery.start(Clock.SYSTEM, from);
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  /// A disk with the commits 1 to `count`, each forced in a batch of its own, and the log closed.
  private static HookedDisk withCommits(int count, int bodyBytes, List<Long> lsns) {
    var disk = new HookedDisk();
    try (Log log = open(disk, LogPosition.ORIGIN)) {
      for (int i = 1; i <= count; i++) {
        lsns.add(Commits.commit(log, i, bodyBytes, Durability.POWER_LOSS));
      }
    }
    return disk;
  }

  private static String onlySegment(HookedDisk disk) {
    return disk.list("log").stream()
        .filter(name -> name.endsWith(LogFiles.SUFFIX))
        .map(name -> "log/" + name)
        .findFirst()
        .orElseThrow();
  }

  private static long offset(long lsn) {
    return SegmentHeader.BYTES + lsn - RING; // of the first generation's first segment
  }

  /// The last batch, cut off at any byte: a torn tail ends the log and is no damage.
  @Test
  void aTailTornAtAnyByteEndsTheLog() {
    var lsns = new ArrayList<Long>();
    HookedDisk disk = withCommits(4, 500, lsns);
    String segment = onlySegment(disk);
    long batchStart = FrameHeader.blockCeil(lsns.get(2));
    long batchEnd = batchStart + FrameHeader.BLOCK;
    for (long cut = batchStart; cut <= batchEnd; cut++) {
      HookedDisk torn = disk.afterProcessCrash();
      byte[] bytes = torn.content(segment);
      java.util.Arrays.fill(bytes, (int) offset(cut), (int) offset(batchEnd), (byte) 0);
      // Alignment after the body is not part of the record.
      boolean whole = cut >= batchStart + FrameHeader.BODY + 500;
      assertThat(recover(torn).numbers()).as("cut " + cut).isEqualTo(upTo(whole ? 4 : 3));
    }
  }

  /// A flipped bit in what a later batch vouches for is refused, wherever it is.
  @Test
  void damageBelowTheDurableLsnIsRefused() {
    var lsns = new ArrayList<Long>();
    HookedDisk disk = withCommits(4, 100, lsns);
    String segment = onlySegment(disk);
    for (long record : new long[] {RING, FrameHeader.blockCeil(lsns.get(0))}) {
      for (long lsn = record; lsn < record + FrameHeader.BODY + 100; lsn++) {
        HookedDisk damaged = disk.afterProcessCrash();
        damaged.content(segment)[(int) offset(lsn)] ^= 4;
        assertThatThrownBy(() -> recover(damaged))
            .isInstanceOf(CorruptStoreException.class)
            .hasMessageContaining("file=memory:" + segment)
            .hasMessageContaining("lsn=" + record)
            .hasMessageContaining("salvage");
      }
    }
  }

  /// Nothing vouches for the last batch, so that damage there cannot be distinguished from a torn
  /// write.
  @Test
  void damageToTheLastBatchEndsTheLog() {
    var lsns = new ArrayList<Long>();
    HookedDisk disk = withCommits(4, 100, lsns);
    disk.content(onlySegment(disk))[(int) offset(FrameHeader.blockCeil(lsns.get(2))) + 30] ^= 1;
    assertThat(recover(disk).numbers()).isEqualTo(upTo(3));
  }

  @Test
  void aMissingSegmentIsRefused() {
    var lsns = new ArrayList<Long>();
    HookedDisk disk = withCommits(200, 3000, lsns);
    List<String> segments =
        disk.list("log").stream().filter(name -> name.endsWith(LogFiles.SUFFIX)).toList();
    assertThat(segments).hasSizeGreaterThan(3);
    for (String missing : segments.subList(1, 3)) {
      HookedDisk holed = disk.afterProcessCrash();
      delete(holed, "log/" + missing);
      assertThatThrownBy(() -> recover(holed)).isInstanceOf(CorruptStoreException.class);
    }
    delete(disk, "log/" + segments.getFirst());
    LogPosition inside = new LogPosition(RING, 1, false);
    assertThatThrownBy(() -> TestLogs.recover(disk, inside))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("missing");
  }

  private static void delete(HookedDisk disk, String name) {
    try {
      disk.delete(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSegmentWithoutAnyHeaderIsRefusedIfItHoldsDurableLog() {
    var lsns = new ArrayList<Long>();
    HookedDisk disk = withCommits(200, 3000, lsns);
    for (String name : disk.list("log")) {
      if (name.endsWith(LogFiles.SUFFIX)) {
        HookedDisk damaged = disk.afterProcessCrash();
        byte[] bytes = damaged.content("log/" + name);
        bytes[40] ^= 1;
        assertThat(recover(damaged).numbers()).as("the copy serves").isEqualTo(upTo(200));
        bytes = damaged.content("log/" + name);
        bytes[2048 + 40] ^= 1;
        boolean used = FrameHeader.lsnAt(bytes, SegmentHeader.BYTES) != 0;
        if (used) {
          assertThatThrownBy(() -> recover(damaged)).isInstanceOf(CorruptStoreException.class);
        } else {
          assertThat(recover(damaged).numbers()).isEqualTo(upTo(200));
        }
      }
    }
  }

  @Test
  void theLogOfAnotherStoreIsRefused() {
    HookedDisk disk = withCommits(3, 100, new ArrayList<>());
    assertThatThrownBy(
            () -> LogRecovery.find(disk, SMALL, new StoreId(9, 9), LogPosition.ORIGIN).replay(null))
        .isInstanceOf(CorruptStoreException.class)
        .hasMessageContaining("another store");
  }

  /// What the process encoded in the ring and never wrote is found, and is in the segment
  /// afterwards.
  @Test
  void commitsInTheRingAloneAreFoundAndSettled() {
    var disk = new HookedDisk();
    Log log = open(disk, LogPosition.ORIGIN);
    Commits.commit(log, 1, 100, Durability.POWER_LOSS);
    for (int i = 2; i <= 20; i++) {
      Commits.commit(log, i, 300, Durability.PROCESS_CRASH);
    }
    HookedDisk crashed = disk.afterProcessCrash();
    log.close();
    assertThat(recover(crashed).numbers()).isEqualTo(upTo(20));
    delete(crashed, LogFiles.RING);
    assertThat(recover(crashed.afterPowerLoss(1)).numbers()).isEqualTo(upTo(20));
  }

  @Test
  void recoveringAnUndamagedLogChangesNothing() {
    HookedDisk disk = withCommits(50, 1000, new ArrayList<>());
    HookedDisk before = disk.afterProcessCrash();
    disk.hook((call, name, _) -> {
      if (call == HookedDisk.Call.DELETE) {
        throw new IOException("deleted: " + name);
      }
    });
    assertThat(recover(disk).numbers()).isEqualTo(upTo(50));
    assertThat(disk.list("log")).isEqualTo(before.list("log"));
    for (String name : disk.list("log")) {
      assertThat(disk.content("log/" + name)).as(name).isEqualTo(before.content("log/" + name));
    }
  }

  @Test
  void aCommitThatWasNotCompleteIsDropped() {
    for (int encoded : new int[] {8, RING / 4, RING / 2, RING, 2 * RING}) {
      var disk = new HookedDisk();
      Log log = open(disk, LogPosition.ORIGIN);
      Commits.commit(log, 1, 100, Durability.POWER_LOSS);
      long size = 3L * RING;
      RecordSink sink = log.sink(Commits.reserve(log, size), size);
      for (int i = 0; i < encoded; i++) {
        sink.putByte(i);
      }
      HookedDisk crashed = disk.afterProcessCrash();
      log.fail(new IllegalStateException("encoded in part"));
      log.close();
      Log next = open(crashed, LogPosition.ORIGIN);
      Commits.commit(next, 2, 100, Durability.POWER_LOSS);
      next.close();
      assertThat(recover(crashed).numbers()).as("encoded " + encoded).isEqualTo(upTo(2));
    }
  }

  /// Generations that no checkpoint ended follow each other, also when ring and segment sizes
  /// change between them.
  @Test
  void everyGenerationAfterTheCheckpointIsReplayed() {
    var disk = new HookedDisk();
    long number = 0;
    for (int open = 0; open < 6; open++) {
      int ring = RING << (open % 3);
      LogSettings options = SMALL.ringBytes(ring).segmentBytes(2L * ring);
      LogRecovery recovery = LogRecovery.find(disk, options, ID, LogPosition.ORIGIN);
      var found = new Commits();
      recovery.replay(found);
      assertThat(found.numbers()).isEqualTo(upTo(number));
      Log log = recovery.start(Clock.SYSTEM, LogPosition.ORIGIN);
      for (int i = 0; i < 60; i++) {
        Commits.commit(log, ++number, 2000, Durability.PROCESS_CRASH);
      }
      disk = disk.afterProcessCrash();
      log.close();
    }
    assertThat(recover(disk).numbers()).isEqualTo(upTo(number));
  }

  @Test
  void aCheckpointOfAnEmptyGenerationOpens() {
    HookedDisk disk = withCommits(10, 100, new ArrayList<>());
    Log log = open(disk, LogPosition.ORIGIN);
    LogPosition position = log.position();
    log.releaseBefore(position.lsn());
    HookedDisk crashed = disk.afterProcessCrash();
    assertThat(TestLogs.recover(crashed, position).found).isEmpty();
    Commits.commit(log, 11, 100, Durability.POWER_LOSS);
    assertThat(TestLogs.recover(disk.afterPowerLoss(1), position).numbers()).containsExactly(11L);
    log.close();
  }

  /// A recovery that fails or crashes at any of its calls leaves the log as good as before.
  @Test
  void aRecoveryCutShortCanBeRepeated() {
    var disk = new HookedDisk();
    Log first = open(disk, LogPosition.ORIGIN);
    for (int i = 1; i <= 30; i++) {
      Commits.commit(first, i, 3000, Durability.values()[i % 3]);
    }
    Commits.commit(first, 31, 100, Durability.PROCESS_CRASH);
    HookedDisk crashed = disk.afterProcessCrash();
    first.close();
    boolean completed = false;
    for (int failing = 1; !completed; failing++) {
      HookedDisk attempt = crashed.afterProcessCrash();
      var calls = new AtomicInteger();
      int failingCall = failing;
      attempt.hook((_, _, _) -> {
        if (calls.incrementAndGet() >= failingCall) {
          throw new IOException("crashed at call " + failingCall);
        }
      });
      Log log = null;
      try {
        log = open(attempt, LogPosition.ORIGIN);
        Commits.commit(log, 32, 100, Durability.POWER_LOSS);
        completed = true;
      } catch (VarveException e) {
        assertThat(e).isNotInstanceOf(CorruptStoreException.class);
      }
      if (log != null) {
        closeWhatMayCrash(log);
      }
      for (HookedDisk after :
          List.of(attempt.afterProcessCrash(), attempt.afterPowerLoss(failing))) {
        List<Long> found = recover(after).numbers();
        assertThat(found).as("call " + failing).startsWith(upTo(31).toArray(Long[]::new));
        assertThat(found.size()).isLessThanOrEqualTo(32);
        // And the log continues from there.
        try (Log next = open(after, LogPosition.ORIGIN)) {
          Commits.commit(next, 99, 100, Durability.POWER_LOSS);
        }
        assertThat(recover(after).numbers()).hasSize(found.size() + 1).endsWith(99L);
      }
    }
  }

  /// Closes a log whose disk may fail from the next call on: what was durable stays so.
  private static void closeWhatMayCrash(Log log) {
    try {
      log.close();
    } catch (StoreFailedException e) {
      assertThat(e).hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void aReadErrorIsReportedAndChangesNothing() {
    HookedDisk disk = withCommits(10, 100, new ArrayList<>());
    disk.hook((call, _, _) -> {
      if (call == HookedDisk.Call.READ) {
        throw new IOException("unreadable");
      }
    });
    assertThatThrownBy(() -> recover(disk))
        .isInstanceOf(StoreIoException.class)
        .hasRootCauseMessage("unreadable");
    disk.hook((_, _, _) -> {});
    assertThat(recover(disk).numbers()).isEqualTo(upTo(10));
  }

  /// Any bytes at all in the log's files lead to a typed answer.
  @Test
  void randomDamageNeverLeadsToAnythingButAPrefixOrARefusal() throws IOException {
    HookedDisk disk = withCommits(60, 700, new ArrayList<>());
    var random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      HookedDisk damaged = disk.afterProcessCrash();
      for (int i = 0; i < 1 + round % 5; i++) {
        List<String> names = damaged.list("log");
        String name = "log/" + names.get(random.nextInt(names.size()));
        try (DiskFile file = damaged.open(name, FileOption.CREATE)) {
          byte[] garbage = new byte[1 + random.nextInt(2000)];
          random.nextBytes(garbage);
          long position = random.nextLong(Math.max(1, file.size() - garbage.length));
          file.write(position, ByteBuffer.wrap(garbage));
        }
      }
      try {
        List<Long> found = recover(damaged).numbers();
        assertThat(found).isEqualTo(upTo(found.size()));
      } catch (CorruptStoreException e) {
        assertThat(e).hasMessageContaining("log");
      }
    }
  }
}
