package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Who writes a batch, in the designs of group commit that do not measure. [PaceTest] is for the
/// one that does.
class GroupingTest {
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
    Grouping grouping = new Cooperation(LIMIT, 200_000);
    assertThat(grouping.flusherCount()).isEqualTo(1);
    assertThat(grouping.isEachForItself()).isFalse();
    assertThat(grouping.callerWrites(0, LIMIT - 1)).isFalse();
    assertThat(grouping.callerWrites(0, LIMIT)).isTrue();
    assertThat(grouping.patienceNanos(true)).isEqualTo(200_000);
    assertThat(grouping.flusherWrites(0, batch(LIMIT - 1))).isFalse();
    assertThat(grouping.flusherWrites(0, batch(LIMIT))).isTrue();
  }

  /// G1: commits that nobody else would write are left to a flusher.
  @Test
  void aFlusherWritesWhatIsUrgentOrUnattendedG1() {
    Grouping grouping = new Cooperation(LIMIT, 200_000);
    Batch urgent = batch(0);
    urgent.urgent = true;
    assertThat(grouping.flusherWrites(0, urgent)).isTrue();
    Batch unattended = batch(1);
    unattended.unattended = true;
    assertThat(grouping.flusherWrites(0, unattended)).isTrue();
  }

  @Test
  void aCommitByItselfWaitsForNoOther() {
    Grouping grouping = new EachForItself();
    assertThat(grouping.isEachForItself()).isTrue();
    assertThat(grouping.flusherCount()).isEqualTo(1);
    assertThat(grouping.callerWrites(5, 1)).isTrue();
    assertThat(grouping.flusherWrites(5, batch(0))).isTrue();
  }

  @Test
  void flushersAloneWriteAsManyAtATimeAsThereAre() {
    Grouping grouping = new Flushers(2);
    assertThat(grouping.flusherCount()).isEqualTo(2);
    assertThat(grouping.callerWrites(0, 100)).isFalse();
    assertThat(grouping.flusherWrites(1, batch(1))).isTrue();
    assertThat(grouping.flusherWrites(2, batch(1))).isFalse();
    assertThat(grouping.isEachForItself()).isFalse();
  }
}
