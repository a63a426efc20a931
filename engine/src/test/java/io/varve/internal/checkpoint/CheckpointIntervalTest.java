package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.checkpoint.CheckpointInterval.Due;
import io.varve.internal.disk.ManualClock;
import io.varve.internal.file.Extents;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Extent;
import io.varve.internal.txn.CommitOrder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// When a checkpoint is due, and when the files of a store are looked at.
class CheckpointIntervalTest {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long LOOK = NANOS / 6;
  private static final long MIB = 1 << 20;

  private final ManualClock clock = new ManualClock();
  private final CommitOrder order = new CommitOrder();
  private final CutLog log = new CutLog();
  private final Extents extents = new Extents(new StoreLocks(), 1);
  private final LogProportion proportion = new LogProportion(log, extents);
  private final CheckpointInterval interval =
      new CheckpointInterval(order, proportion, clock, NANOS);

  private long lsn;

  private void commit() {
    order.resume(++lsn);
  }

  private Due lookAfter(long nanos) {
    clock.advance(nanos);
    return interval.look();
  }

  @Test
  void aCheckpointIsDueWhenTheTimeHasPassedWithCommits() {
    commit();
    interval.begin();
    clock.advance(NANOS);
    assertThat(interval.isDue()).as("without a commit").isFalse();
    commit();
    assertThat(interval.isDue()).isTrue();
    interval.begin();
    commit();
    clock.advance(NANOS - 1);
    assertThat(interval.isDue()).isFalse();
    clock.advance(1);
    assertThat(interval.isDue()).isTrue();
  }

  @Test
  void aTimeThatPassedWithoutCommitsBeginsAgain() {
    interval.begin();
    clock.advance(NANOS - 1);
    interval.passIdle();
    clock.advance(NANOS - 1);
    commit();
    assertThat(interval.isDue()).as("what has not passed does not begin again").isTrue();
    interval.passIdle();
    assertThat(interval.isDue()).as("nor what had commits").isTrue();
    interval.begin();
    clock.advance(NANOS);
    interval.passIdle();
    commit();
    assertThat(interval.isDue()).isFalse();
  }

  @Test
  void whatIsExpectedMakesACheckpointDueWithoutACommit() {
    interval.begin();
    interval.expectChanges();
    assertThat(interval.isDue()).isFalse();
    clock.advance(NANOS);
    assertThat(interval.isDue()).isTrue();
  }

  @Test
  void theThreadWaitsForTheNextLookOrTheEnd() {
    interval.begin();
    assertThat(interval.nanosLeft()).isEqualTo(LOOK);
    clock.advance(LOOK);
    assertThat(interval.nanosLeft()).isZero();
    assertThat(interval.look()).isEqualTo(Due.NOTHING);
    assertThat(interval.nanosLeft()).isEqualTo(LOOK);
    clock.advance(NANOS - LOOK - 1);
    interval.look();
    assertThat(interval.nanosLeft()).isEqualTo(1);
  }

  @Test
  void aLookWhileOthersCommitFindsALongLog() {
    log.retainedBytes = 16 * MIB + 1;
    commit();
    assertThat(lookAfter(LOOK - 1)).as("too soon").isEqualTo(Due.NOTHING);
    assertThat(lookAfter(1)).isEqualTo(Due.CHECKPOINT);
    assertThat(lookAfter(LOOK)).as("no commit since").isEqualTo(Due.NOTHING);
    commit();
    log.retainedBytes = 16 * MIB;
    assertThat(lookAfter(LOOK)).isEqualTo(Due.NOTHING);
  }

  /// A checkpoint of many pages costs more than the log that it releases.
  @Test
  void aLogIsLongComparedWithTheData() {
    extents.reserveLive(1, 8 * MIB / Extent.UNIT_BYTES);
    log.retainedBytes = 32 * MIB;
    assertThat(proportion.isLogLong()).isFalse();
    log.retainedBytes++;
    assertThat(proportion.isLogLong()).isTrue();
    extents.reserveLive(1 + 8 * MIB / Extent.UNIT_BYTES, 56 * MIB / Extent.UNIT_BYTES);
    log.retainedBytes = 8 * MIB;
    assertThat(proportion.isLogWorthReleasing()).isFalse();
    log.retainedBytes++;
    assertThat(proportion.isLogWorthReleasing()).isTrue();
  }

  @Test
  void filesAreTidiedOnceWhenNobodyHasCommittedForAnInterval() {
    log.retainedBytes = 4 * MIB + 1;
    commit();
    assertThat(lookAfter(LOOK)).isEqualTo(Due.NOTHING);
    assertThat(lookAfter(NANOS - 1)).isEqualTo(Due.NOTHING);
    assertThat(lookAfter(LOOK)).isEqualTo(Due.RELEASE_AND_COMPACT);
    assertThat(lookAfter(NANOS)).as("not again").isEqualTo(Due.NOTHING);
    log.retainedBytes = 4 * MIB;
    interval.expectChanges();
    assertThat(lookAfter(NANOS - 1)).isEqualTo(Due.NOTHING);
    assertThat(lookAfter(NANOS)).isEqualTo(Due.COMPACT);
  }
}
