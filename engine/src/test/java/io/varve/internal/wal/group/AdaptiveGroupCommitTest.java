package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdaptiveGroupCommitTest {
  private static final int FLUSHERS = 4;
  private static final long WRITE_NANOS = 100_000;

  private final ManualClock clock = new ManualClock();
  private final AdaptiveGroupCommit policy = new AdaptiveGroupCommit(FLUSHERS, clock);

  @BeforeEach
  void settle() {
    // So many lone commits that the mean time of a write is known.
    for (int i = 0; i < 100; i++) {
      assertThat(policy.callerWrites(0, 1)).isTrue();
      write(1, 1, 0);
      clock.advance(10 * WRITE_NANOS);
    }
  }

  /// @param commits that wait when the write begins
  /// @param answered that wait for it when it ends
  /// @param gathered that wait for the next then
  private void write(int commits, int answered, int gathered) {
    policy.begin(commits);
    clock.advance(WRITE_NANOS);
    policy.end(commits, answered, gathered, WRITE_NANOS);
  }

  @Test
  void aLoneCommitIsNeverHeld() {
    write(1, 1, 0);

    assertThat(policy.callerWrites(0, 1)).isTrue();
  }

  @Test
  void aBatchIsHeldForThoseThatWereAnsweredAndThoseThatWaited() {
    write(2, 2, 2);

    assertThat(policy.callerWrites(0, 3)).isFalse();
    assertThat(policy.callerWrites(0, 4)).isTrue();
  }

  @Test
  void aBatchIsHeldNoLongerThanAWriteTakes() {
    write(4, 4, 0);

    assertThat(policy.callerWrites(0, 1)).isFalse();
    clock.advance(WRITE_NANOS);
    assertThat(policy.callerWrites(0, 1)).isTrue();
  }

  @Test
  void theFirstCommitAfterARestIsNotHeld() {
    write(4, 4, 0);
    clock.advance(1_000_000_000);

    assertThat(policy.callerWrites(0, 1)).isTrue();
  }

  @Test
  void holdsWithoutSuccessEnd() {
    holdWithoutSuccess(20);
    write(4, 4, 0);

    assertThat(policy.callerWrites(0, 1)).isTrue();
    clock.advance(WRITE_NANOS);
    assertThat(policy.patienceNanos(true)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void holdsAreTriedAgainOnceTheyMayPay() {
    holdWithoutSuccess(20);
    int held = 0;
    for (int i = 0; i < 100; i++) {
      write(4, 4, 0);
      if (!policy.callerWrites(0, 3)) {
        held++;
      }
      assertThat(policy.callerWrites(0, 4)).isTrue();
    }

    assertThat(held).as("the last trial showed that all come back").isGreaterThan(50);
  }

  private void holdWithoutSuccess(int times) {
    for (int i = 0; i < times; i++) {
      write(4, 4, 0);
      policy.callerWrites(0, 1);
      clock.advance(WRITE_NANOS);
      assertThat(policy.callerWrites(0, 1)).as("the hold is over").isTrue();
      policy.begin(1);
      policy.end(1, 1, 0, WRITE_NANOS);
    }
  }

  @Test
  void writesDoNotOverlapWhileHoldingPays() {
    policy.begin(1);

    assertThat(policy.callerWrites(1, 1)).isFalse();
  }

  @Test
  void writesOfFewCommitsOverlapWhereHoldingHasNoEffect() {
    holdWithoutSuccess(20);
    policy.begin(1);

    assertThat(policy.callerWrites(1, 1)).isTrue();
    assertThat(policy.callerWrites(FLUSHERS, 1)).as("no more than there are flushers").isFalse();
    policy.begin(2);
    assertThat(policy.callerWrites(2, 3)).as("too many to overlap").isFalse();
  }

  @Test
  void asManyCommitsOverlapAsADeviceTakesInSteps() {
    holdWithoutSuccess(20);
    policy.begin(2);

    assertThat(policy.callerWrites(1, 2)).isTrue();
    assertThat(policy.callerWrites(1, 3)).isFalse();
  }

  @Test
  void noWriteOverlapsTheOneBeforeATrial() {
    holdWithoutSuccess(20);
    clock.advance(10 * WRITE_NANOS);
    for (int i = 0; policy.patienceNanos(true) == Long.MAX_VALUE; i++) {
      assertThat(i).as("writes without a trial").isLessThan(100);
      write(1, 1, 0);
      clock.advance(10 * WRITE_NANOS);
    }
    policy.begin(1);

    assertThat(policy.callerWrites(1, 1)).isFalse();
  }

  /// A commit that comes as a hold ends was not held, so the write proves nothing about holds.
  @Test
  void aHoldThatIsJustOverTakesNoCredit() {
    for (int i = 0; i < 20; i++) {
      write(4, 4, 0);
      clock.advance(policy.patienceNanos(true));
      assertThat(policy.callerWrites(0, 1)).isTrue();
      write(1, 1, 0);
      clock.advance(10 * WRITE_NANOS);
    }
    write(4, 4, 0);

    assertThat(policy.callerWrites(0, 1)).as("holds have credit").isFalse();
  }

  @Test
  void aFlusherHoldsABatchThatNobodyLooksAfter() {
    write(4, 4, 0);
    var batch = new Batch(0);
    assertThat(policy.flusherWrites(0, batch)).as("its waiters look after it").isFalse();

    batch.needsFlusher = true;

    assertThat(policy.flusherWrites(0, batch)).isTrue();
    assertThat(policy.holdNanos(batch)).isPositive();
    clock.advance(WRITE_NANOS);
    assertThat(policy.holdNanos(batch)).isLessThanOrEqualTo(0);
  }

  @Test
  void aHurriedCommitOverlapsNoMoreThanOthers() {
    holdWithoutSuccess(20);
    policy.begin(1);

    assertThat(policy.callerWrites(1, Integer.MAX_VALUE)).isFalse();
  }

  @Test
  void aCommitWaitsForTheWriteUnderWayAndTheHoldAfterIt() {
    policy.begin(4);

    assertThat(policy.patienceNanos(true)).isGreaterThan(WRITE_NANOS * 9 / 5);
  }

  @Test
  void aCommitThatComesWhileABatchIsHeldWaitsForTheRestOfThat() {
    write(4, 4, 0);
    clock.advance(WRITE_NANOS * 3 / 4);

    assertThat(policy.patienceNanos(true)).isBetween(1L, WRITE_NANOS / 4);
  }

  @Test
  void nobodyLooksAfterABatchForVirtualThreads() {
    write(4, 4, 0);

    assertThat(policy.patienceNanos(false)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anUrgentBatchIsNotHeld() {
    write(4, 4, 0);
    var batch = new Batch(0);
    batch.flushNow = true;

    assertThat(policy.holdNanos(batch)).isZero();
    assertThat(policy.flusherWrites(0, batch)).isTrue();
  }
}
