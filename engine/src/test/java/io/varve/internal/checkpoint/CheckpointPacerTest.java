package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.PageRetention;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.Clock;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.disk.MeteredDisk;
import io.varve.internal.file.PageFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How fast a checkpoint writes, and what it takes of the disk to be little.
class CheckpointPacerTest {
  private static final long MIB = 1 << 20;
  private static final long QUOTA = 64 * MIB;

  /// What a leaf takes in memory apart from its page.
  private static final int LEAF_BYTES = 96;

  /// A clock that counts delays and has none.
  private static final class DelayClock implements Clock {
    long delayed;

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long currentTimeMillis() {
      return 0;
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      delayed += nanos;
    }

    @Override
    public void delay(Object blocker, long nanos) {
      delayed += nanos;
    }
  }

  private final MeteredDisk disk = new MeteredDisk(new MemoryDisk(), QUOTA, List.of(), 0);
  private final PageFile file = PageFile.open(disk, PageFile.NAME);
  private final PageCache cache = new PageCache(file.locks(), PageRetention.S3_FIFO, 64 * MIB, 1);
  private final Pages pages = new Pages(file, cache, 1024);
  private final DelayClock clock = new DelayClock();
  private final CutLog log = new CutLog();
  private final CheckpointPacer pacer =
      new CheckpointPacer(clock, log, new DirtyShare(pages), disk, cache);

  CheckpointPacerTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private long delayOf(long bytes) {
    clock.delayed = 0;
    pacer.wrote(bytes);
    return clock.delayed;
  }

  private long delayWithWaiters(long bytes) {
    log.waiters++;
    return delayOf(bytes);
  }

  @Test
  void aCheckpointIsSlowWhileCommitsWaitForForces() {
    pacer.begin(true);
    assertThat(pacer.isEven()).isTrue();
    assertThat(delayOf(MIB)).as("nobody waits").isZero();
    assertThat(pacer.isEven()).isFalse();
    log.waiters++;
    assertThat(pacer.mayHurry()).isFalse();
    assertThat(delayOf(MIB)).as("at 64 MiB a second").isEqualTo(1_000_000_000 / 64);
    assertThat(pacer.isEven()).isTrue();
    assertThat(pacer.mayHurry()).isTrue();
    assertThat(delayWithWaiters(100 * MIB)).as("at most").isEqualTo(20_000_000);
    pacer.begin(false);
    assertThat(pacer.isEven()).isFalse();
  }

  /// Commits would wait for log until the checkpoint has ended.
  @Test
  void aCheckpointHurriesWhereTheLogIsNearlyFull() {
    pacer.begin(true);
    long slow = delayWithWaiters(MIB / 2);
    log.retainedBytes = CutLog.BYTES_MAX * 8 / 10;
    assertThat(delayWithWaiters(MIB / 2)).isEqualTo(slow);
    log.retainedBytes = CutLog.BYTES_MAX * 9 / 10;
    assertThat(delayWithWaiters(MIB / 2)).isCloseTo(slow / 2, within(1000L));
    log.retainedBytes = CutLog.BYTES_MAX;
    assertThat(delayWithWaiters(MIB / 2)).isZero();
  }

  @Test
  void theDiskIsTightWithTwiceWhatIsDirtyAndSomeMore() {
    pacer.begin(true);
    assertThat(pacer.isTight()).isFalse();
    long usable = QUOTA - 8 * MIB;
    pages.newLeaf(1, new byte[(int) (usable / 2 - LEAF_BYTES)]);
    assertThat(cache.unwrittenBytes()).isEqualTo(usable / 2);
    pacer.begin(true);
    assertThat(pacer.isTight()).isFalse();
    pages.newLeaf(1, new byte[1024]);
    pacer.begin(true);
    assertThat(pacer.isTight()).isTrue();
  }

  @Test
  void theDiskIsAmpleWithEightTimesAsMuchAndSomeMore() {
    assertThat(pacer.hasCapacityFor(QUOTA / 8 - 4 * MIB - 1)).isTrue();
    assertThat(pacer.hasCapacityFor(QUOTA / 8 - 4 * MIB)).isFalse();
  }
}
