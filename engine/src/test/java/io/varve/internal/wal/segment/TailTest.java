package io.varve.internal.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.wal.Log;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Tail.Obstacle;
import org.junit.jupiter.api.Test;

/// Where commits are placed in the log, and up to where: each bound is tried at its last byte and
/// one after it.
class TailTest {
  private static final int RING = LogSettings.RING_BYTES_MIN;
  private static final int MARK = FrameHeader.MARK_BYTES_MAX;
  private static final int FRAME_MAX = FrameHeader.frameBytesMax(RING);
  private static final long CAP = 4L * RING;
  private static final long AMPLE = 64L * RING;

  private static Tail at(long lsn) {
    return new Tail(RING, FrameHeader.BODY, CAP, lsn, lsn);
  }

  /// The longest body that one frame of so many bytes holds.
  private static long bodyOf(long frameBytes) {
    return frameBytes - FrameHeader.BODY;
  }

  @Test
  void commitsFollowEachOtherAtMultiplesOfEight() {
    Tail tail = at(0);
    tail.preparedTo(AMPLE);
    assertThat(tail.tryReserve(bodyOf(40))).isZero();
    assertThat(tail.lsn()).isEqualTo(40);
    assertThat(tail.tryReserve(bodyOf(41))).isEqualTo(40);
    assertThat(tail.lsn()).isEqualTo(88);
    assertThat(tail.endOf(88, bodyOf(64))).isEqualTo(152);
  }

  /// What remains of a term and holds no pad belongs to the frame before it.
  @Test
  void aTermEndsWhereNoPadFitsAnyMore() {
    Tail tail = at(0);
    assertThat(tail.endOf(RING - 96, bodyOf(64))).isEqualTo(RING - FrameHeader.FILL);
    assertThat(tail.endOf(RING - 96, bodyOf(65))).isEqualTo(RING);
    assertThat(tail.endOf(RING - 96, bodyOf(96))).isEqualTo(RING);
  }

  @Test
  void aFrameThatTheTermCannotHoldStartsTheNext() {
    Tail tail = at(0);
    assertThat(tail.startOf(RING - 96, bodyOf(96))).isEqualTo(RING - 96);
    assertThat(tail.startOf(RING - 96, bodyOf(97))).isEqualTo(RING);
    assertThat(tail.startOf(RING - 96, bodyOf(FRAME_MAX))).isEqualTo(RING);
  }

  /// Such a commit fills the term with its first part, unless that is too short for any.
  @Test
  void aCommitThatIsCutStartsInTheSameTerm() {
    Tail tail = at(0);
    long body = bodyOf(FRAME_MAX) + 1;
    assertThat(tail.isCut(body)).isTrue();
    assertThat(tail.isCut(body - 1)).isFalse();
    assertThat(tail.startOf(RING - 96, body)).isEqualTo(RING - 96);
    assertThat(tail.startOf(RING - FrameHeader.BODY, body)).isEqualTo(RING);
    assertThat(tail.startOf(RING - FrameHeader.BODY - 1, body))
        .isEqualTo(RING - FrameHeader.BODY - 1);
  }

  /// All but the last part end at a block.
  @Test
  void theFramesOfACommitThatIsCutEndAtBlocks() {
    Tail tail = at(0);
    assertThat(tail.frameLength(0, RING)).isEqualTo(FRAME_MAX);
    assertThat(tail.frameLength(8, RING)).isEqualTo(FRAME_MAX - 8);
    assertThat(tail.frameLength(RING - 96, RING)).isEqualTo(96);
    assertThat(tail.frameLength(8, 100)).isEqualTo(100 + FrameHeader.BODY);
    long body = 3L * bodyOf(FRAME_MAX);
    assertThat(tail.endOf(0, body)).isEqualTo(3L * FRAME_MAX);
    assertThat(tail.endOf(0, body + 1)).isEqualTo(3L * FRAME_MAX + FrameHeader.FILL - 8);
  }

  /// A2: the mark that seals the batch has capacity in the prepared segments as well.
  @Test
  void aCommitLeavesAMarkBelowThePreparedEndA2() {
    Tail tail = at(0);
    tail.preparedTo(MARK + 64 - 1);
    assertThat(tail.tryReserve(bodyOf(64))).isEqualTo(Log.NO_CAPACITY);
    assertThat(tail.hasCapacity(bodyOf(64))).isFalse();
    assertThat(tail.obstacle(bodyOf(64))).isEqualTo(Obstacle.SEGMENTS);
    assertThat(tail.preparedLsnFor(bodyOf(64))).isEqualTo(MARK + 64);
    tail.preparedTo(MARK + 64);
    assertThat(tail.hasCapacity(bodyOf(64))).isTrue();
    assertThat(tail.obstacle(bodyOf(64))).isEqualTo(Obstacle.NONE);
    assertThat(tail.tryReserve(bodyOf(64))).isZero();
    assertThat(tail.tryReserve(bodyOf(64))).isEqualTo(Log.NO_CAPACITY);
  }

  /// A2: and in the ring, of which what is not released is taken.
  @Test
  void aCommitLeavesAMarkInTheRingA2() {
    Tail tail = at(0);
    tail.preparedTo(AMPLE);
    long last = RING - MARK - 64;
    assertThat(tail.moveForMark(0, last)).isTrue();
    assertThat(tail.obstacle(bodyOf(64))).isEqualTo(Obstacle.NONE);
    assertThat(tail.obstacle(bodyOf(65))).isEqualTo(Obstacle.RING);
    assertThat(tail.tryReserve(bodyOf(65))).isEqualTo(Log.NO_CAPACITY);
    assertThat(tail.tryReserve(bodyOf(64))).isEqualTo(last);
    tail.releasedTo(FrameHeader.BLOCK);
    assertThat(tail.tryReserve(bodyOf(65))).isEqualTo(last + 64);
  }

  /// A commit longer than half the ring is written while it is filled, so half of it must fit.
  @Test
  void ofALongCommitHalfARingMustFit() {
    Tail tail = at(0);
    tail.preparedTo(AMPLE);
    assertThat(tail.moveForMark(0, RING / 2 - MARK)).isTrue();
    assertThat(tail.hasCapacity(2L * RING)).isTrue();
    assertThat(tail.moveForMark(RING / 2 - MARK, RING / 2 - MARK + 8)).isTrue();
    assertThat(tail.hasCapacity(2L * RING)).isFalse();
  }

  @Test
  void commitsStayWithinTheCap() {
    Tail tail = at(FrameHeader.BLOCK);
    tail.preparedTo(AMPLE);
    tail.releasedTo(CAP);
    long last = FrameHeader.BLOCK + CAP - 64;
    assertThat(tail.moveForMark(FrameHeader.BLOCK, last)).isTrue();
    assertThat(tail.obstacle(bodyOf(64))).isEqualTo(Obstacle.NONE);
    assertThat(tail.obstacle(bodyOf(65))).isEqualTo(Obstacle.CAP);
    assertThat(tail.hasCapacity(bodyOf(65))).isFalse();
    tail.retainedFrom(FrameHeader.BLOCK + 8);
    assertThat(tail.obstacle(bodyOf(65))).isEqualTo(Obstacle.NONE);
    assertThat(tail.tryReserve(bodyOf(65))).isEqualTo(last);
  }

  /// A commit longer than half the cap counts as half: it must pass some time.
  @Test
  void ofALongCommitHalfTheCapMustFit() {
    Tail tail = at(0);
    tail.preparedTo(AMPLE);
    tail.releasedTo(CAP);
    assertThat(tail.moveForMark(0, CAP / 2)).isTrue();
    assertThat(tail.obstacle(CAP)).isEqualTo(Obstacle.NONE);
    assertThat(tail.moveForMark(CAP / 2, CAP / 2 + 8)).isTrue();
    assertThat(tail.obstacle(CAP)).isEqualTo(Obstacle.CAP);
  }

  @Test
  void aClosedLogTakesMarksAlone() {
    Tail tail = at(RING);
    tail.preparedTo(AMPLE);
    assertThat(tail.isClosed()).isFalse();
    tail.close();
    assertThat(tail.isClosed()).isTrue();
    assertThat(tail.lsn()).isEqualTo(RING);
    assertThat(tail.tryReserve(8)).isEqualTo(Log.NO_CAPACITY);
    assertThat(tail.hasCapacity(8)).isFalse();
    assertThat(tail.obstacle(8)).isEqualTo(Obstacle.CLOSED);
    assertThat(tail.moveForMark(RING + 8, RING + FrameHeader.BLOCK)).isFalse();
    assertThat(tail.moveForMark(RING, RING + FrameHeader.BLOCK)).isTrue();
    assertThat(tail.lsn()).isEqualTo(RING + FrameHeader.BLOCK);
    assertThat(tail.isClosed()).isTrue();
  }

  /// Guards against a ring that counts as half of what it is after its last doubling.
  @Test
  void aRingThatHasDoubledCountsAsLongAsItIs() {
    Tail tail = new Tail(RING, FrameHeader.BODY, AMPLE, 0, 0);
    tail.preparedTo(AMPLE);
    long half = 8L * FRAME_MAX; // of a ring of two terms
    tail.ringIs(RingLap.of(RING).doubledAt(RING + 1L));
    assertThat(tail.ringBytes()).as("before the lap in which it doubles").isEqualTo(RING);
    tail.releasedTo(2L * RING);
    assertThat(tail.ringBytes()).isEqualTo(2 * RING);
    assertThat(tail.ringEndLsn()).isEqualTo(4L * RING);
    tail.moveForMark(0, 3L * RING);
    assertThat(tail.obstacle(half - 2L * MARK)).isEqualTo(Obstacle.NONE);
    assertThat(tail.obstacle(half)).as("it waits for as much as it takes").isEqualTo(Obstacle.RING);
  }
}
