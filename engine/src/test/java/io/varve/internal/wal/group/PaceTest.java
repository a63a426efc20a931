package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int FLUSHERS = 4;
  private static final long WRITE_NANOS = 100_000;

  private final ManualClock clock = new ManualClock();
  private final Pace pace = new Pace(FLUSHERS, clock);

  @BeforeEach
  void settle() {
    // So many lone commits that the mean time of a write is known.
    for (int i = 0; i < 100; i++) {
      assertThat(pace.callerWrites(0, 1)).isTrue();
      write(1, 1, 0);
      clock.advance(10 * WRITE_NANOS);
    }
  }

  /// @param commits that wait when the write begins
  /// @param answered that wait for it when it ends
  /// @param gathered that wait for the next then
  private void write(int commits, int answered, int gathered) {
    pace.begin(commits);
    clock.advance(WRITE_NANOS);
    pace.end(commits, answered, gathered, WRITE_NANOS);
  }

  @Test
  void aLoneCommitIsNeverHeld() {
    write(1, 1, 0);

    assertThat(pace.callerWrites(0, 1)).isTrue();
  }

  @Test
  void aBatchIsHeldForThoseThatWereAnsweredAndThoseThatWaited() {
    write(2, 2, 2);

    assertThat(pace.callerWrites(0, 3)).isFalse();
    assertThat(pace.callerWrites(0, 4)).isTrue();
  }

  @Test
  void aBatchIsHeldNoLongerThanAWriteTakes() {
    write(4, 4, 0);

    assertThat(pace.callerWrites(0, 1)).isFalse();
    clock.advance(WRITE_NANOS);
    assertThat(pace.callerWrites(0, 1)).isTrue();
  }

  @Test
  void theFirstCommitAfterARestIsNotHeld() {
    write(4, 4, 0);
    clock.advance(1_000_000_000);

    assertThat(pace.callerWrites(0, 1)).isTrue();
  }

  @Test
  void holdsThatAreInVainEnd() {
    holdInVain(20);
    write(4, 4, 0);

    assertThat(pace.callerWrites(0, 1)).isTrue();
    clock.advance(WRITE_NANOS);
    assertThat(pace.patienceNanos(true)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void holdsAreTriedAgainOnceTheyMayPay() {
    holdInVain(20);
    int held = 0;
    for (int i = 0; i < 100; i++) {
      write(4, 4, 0);
      if (!pace.callerWrites(0, 3)) {
        held++;
      }
      assertThat(pace.callerWrites(0, 4)).isTrue();
    }

    assertThat(held).as("the last trial showed that all come back").isGreaterThan(50);
  }

  private void holdInVain(int times) {
    for (int i = 0; i < times; i++) {
      write(4, 4, 0);
      pace.callerWrites(0, 1);
      clock.advance(WRITE_NANOS);
      assertThat(pace.callerWrites(0, 1)).as("the hold is over").isTrue();
      pace.begin(1);
      pace.end(1, 1, 0, WRITE_NANOS);
    }
  }

  @Test
  void writesDoNotOverlapWhileHoldingPays() {
    pace.begin(1);

    assertThat(pace.callerWrites(1, 1)).isFalse();
  }

  @Test
  void writesOfFewCommitsOverlapWhereHoldingIsInVain() {
    holdInVain(20);
    pace.begin(1);

    assertThat(pace.callerWrites(1, 1)).isTrue();
    assertThat(pace.callerWrites(FLUSHERS, 1)).as("no more than there are flushers").isFalse();
    pace.begin(2);
    assertThat(pace.callerWrites(2, 3)).as("too many to overlap").isFalse();
  }

  @Test
  void aFlusherHoldsABatchThatNobodyLooksAfter() {
    write(4, 4, 0);
    var batch = new Batch(0);
    assertThat(pace.flusherWrites(0, batch)).as("its waiters look after it").isFalse();

    batch.unattended = true;

    assertThat(pace.flusherWrites(0, batch)).isTrue();
    assertThat(pace.holdNanos(batch)).isPositive();
    clock.advance(WRITE_NANOS);
    assertThat(pace.holdNanos(batch)).isLessThanOrEqualTo(0);
  }

  @Test
  void aHurriedCommitOverlapsNoMoreThanOthers() {
    holdInVain(20);
    pace.begin(1);

    assertThat(pace.callerWrites(1, Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void aCommitWaitsForTheWriteUnderWayAndTheHoldAfterIt() {
    pace.begin(4);

    assertThat(pace.patienceNanos(true)).isGreaterThan(WRITE_NANOS * 9 / 5);
  }

  @Test
  void aCommitThatComesWhileABatchIsHeldWaitsForTheRestOfThat() {
    write(4, 4, 0);
    clock.advance(WRITE_NANOS * 3 / 4);

    assertThat(pace.patienceNanos(true)).isBetween(1L, WRITE_NANOS / 4);
  }

  @Test
  void nobodyLooksAfterABatchForVirtualThreads() {
    write(4, 4, 0);

    assertThat(pace.patienceNanos(false)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anUrgentBatchIsNotHeld() {
    write(4, 4, 0);
    var batch = new Batch(0);
    batch.urgent = true;

    assertThat(pace.holdNanos(batch)).isZero();
    assertThat(pace.flusherWrites(0, batch)).isTrue();
  }
}
