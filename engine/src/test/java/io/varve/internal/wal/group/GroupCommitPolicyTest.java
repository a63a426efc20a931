package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Which thread writes a batch, in the designs of group commit that do not measure.
/// [AdaptiveGroupCommitTest] is for the one that does.
class GroupCommitPolicyTest {
  private static final int LIMIT = 3;

  private static Batch batch(int waiters) {
    Batch batch = new Batch(0);
    for (int i = 0; i < waiters; i++) {
      batch.push(Waiter.ofThread());
    }
    return batch;
  }

  @Test
  void cooperatingCommitsAreWrittenByTheOneThatCompletesTheNumber() {
    GroupCommitPolicy policy = new CooperativeCommit(LIMIT, 200_000);
    assertThat(policy.flusherCount()).isEqualTo(1);
    assertThat(policy.isSeparate()).isFalse();
    assertThat(policy.callerWrites(0, LIMIT - 1)).isFalse();
    assertThat(policy.callerWrites(0, LIMIT)).isTrue();
    assertThat(policy.patienceNanos(true)).isEqualTo(200_000);
    assertThat(policy.flusherWrites(0, batch(LIMIT - 1))).isFalse();
    assertThat(policy.flusherWrites(0, batch(LIMIT))).isTrue();
  }

  /// G1: commits that no other thread would write are left to a flusher.
  @Test
  void aFlusherWritesWhatIsUrgentOrUnattendedG1() {
    GroupCommitPolicy policy = new CooperativeCommit(LIMIT, 200_000);
    Batch urgent = batch(0);
    urgent.flushNow = true;
    assertThat(policy.flusherWrites(0, urgent)).isTrue();
    Batch unattended = batch(1);
    unattended.needsFlusher = true;
    assertThat(policy.flusherWrites(0, unattended)).isTrue();
  }

  @Test
  void aCommitByItselfWaitsForNoOther() {
    GroupCommitPolicy policy = new SeparateCommit();
    assertThat(policy.isSeparate()).isTrue();
    assertThat(policy.flusherCount()).isEqualTo(1);
    assertThat(policy.callerWrites(5, 1)).isTrue();
    assertThat(policy.flusherWrites(5, batch(0))).isTrue();
  }

  @Test
  void flushersAloneWriteAsManyAtATimeAsThereAre() {
    GroupCommitPolicy policy = new FlusherCommit(2);
    assertThat(policy.flusherCount()).isEqualTo(2);
    assertThat(policy.callerWrites(0, 100)).isFalse();
    assertThat(policy.flusherWrites(1, batch(1))).isTrue();
    assertThat(policy.flusherWrites(2, batch(1))).isFalse();
    assertThat(policy.isSeparate()).isFalse();
  }
}
