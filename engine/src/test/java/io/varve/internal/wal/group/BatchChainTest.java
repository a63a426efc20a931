package io.varve.internal.wal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.disk.Clock;
import io.varve.internal.wal.Log;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.Ring;
import io.varve.internal.wal.segment.SmallLog;
import io.varve.internal.wal.segment.Tail;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How far the log counts as released and as durable, batch by batch, on one thread.
class BatchChainTest {
  private static final int RING_BYTES = 1 << 16;

  private final Arena arena = Arena.ofShared(); // a timeout runs each method on a thread of its own
  private final Ring ring = SmallLog.ring(arena.allocate(RING_BYTES, 8), 0);
  private final Tail tail = StressChain.tail();
  private final Failure failure = new Failure(tail::close);
  private final List<Long> completed = new ArrayList<>();
  private BatchChain chain;

  @BeforeEach
  void makeChain() {
    tail.preparedTo(64L * RING_BYTES);
    chain =
        new BatchChain(
            SmallLog.parts(ring, tail, failure), Clock.SYSTEM, new WaitList(), this::complete);
  }

  @AfterEach
  void freeRing() {
    arena.close();
  }

  private void complete(Waiter stack) {
    for (Waiter at = stack; at != null; at = at.next) {
      completed.add(at.lsn);
    }
  }

  /// Reserves a small commit, and seals the batch that it is in.
  private Batch sealed() {
    assertThat(tail.tryReserve(40)).isNotEqualTo(Log.NO_CAPACITY);
    Batch batch = chain.seal(chain.open());
    assertThat(batch).isNotNull();
    return batch;
  }

  private static void waitFor(Batch batch) {
    assertThat(batch.push(Waiter.ofFuture(new CompletableFuture<>(), batch.endLsn))).isTrue();
  }

  private void write(Batch batch, int state) {
    batch.state = state;
    chain.advance();
  }

  /// C1
  @Test
  void batchesEndAtBlocksAndFollowEachOtherC1() {
    assertThat(chain.seal(chain.open())).as("an empty batch").isNull();
    Batch first = sealed();
    assertThat(first.isSealed()).isTrue();
    assertThat(first.startLsn).isZero();
    assertThat(first.markLsn).isEqualTo(64);
    assertThat(first.endLsn).isEqualTo(FrameHeader.BLOCK);
    assertThat(chain.seal(first)).as("a batch that was sealed").isNull();
    Batch second = sealed();
    assertThat(second.startLsn).isEqualTo(first.endLsn);
    assertThat(second.endLsn).isEqualTo(2L * FrameHeader.BLOCK);
    assertThat(chain.open().startLsn).isEqualTo(second.endLsn);
    assertThat(chain.locate(1)).isSameAs(first);
    assertThat(chain.locate(first.endLsn)).isSameAs(first);
    assertThat(chain.locate(first.endLsn + 1)).isSameAs(second);
    assertThat(chain.locate(second.endLsn + 1)).isSameAs(chain.open());
  }

  /// A batch ends with its term at the latest; what the rest of a commit needs, the next has.
  @Test
  void aBatchEndsWithItsTerm() {
    Batch strong = chain.open();
    strong.forceRequested = true;
    assertThat(tail.moveForMark(0, RING_BYTES + 64)).isTrue();
    assertThat(chain.seal(strong)).isSameAs(strong);
    assertThat(strong.endLsn).isEqualTo(RING_BYTES);
    assertThat(strong.markLsn).as("no mark").isEqualTo(-1);
    assertThat(chain.open().forceRequested).isTrue();
    assertThat(chain.open().flushNow).isTrue();
  }

  @Test
  void aBatchThatFillsItsTermAsksNothingOfTheNext() {
    Batch strong = chain.open();
    strong.forceRequested = true;
    assertThat(tail.moveForMark(0, RING_BYTES)).isTrue();
    assertThat(chain.seal(strong)).isSameAs(strong);
    assertThat(strong.endLsn).isEqualTo(RING_BYTES);
    assertThat(chain.open().forceRequested).isFalse();
    assertThat(chain.open().flushNow).isFalse();
  }

  /// A commit longer than half the ring may be filling: what there is of it is sealed, or it waits
  /// for its own end. A weak commit makes nothing strong.
  @Test
  void whatIsPublishedOfALongCommitIsSealed() {
    Batch batch = chain.open();
    ring.publishFill(0, FrameHeader.MARK, FrameHeader.BLOCK, 0);
    assertThat(tail.moveForMark(0, RING_BYTES / 2 + 8)).isTrue();
    assertThat(chain.seal(batch)).isSameAs(batch);
    assertThat(batch.endLsn).isEqualTo(FrameHeader.BLOCK);
    assertThat(tail.lsn()).isEqualTo(RING_BYTES / 2 + 8);
    assertThat(chain.open().forceRequested).isFalse();
  }

  /// The same of half a ring is sealed with a mark at its end.
  @Test
  void halfARingIsSealedAsAWhole() {
    Batch batch = chain.open();
    ring.publishFill(0, FrameHeader.MARK, FrameHeader.BLOCK, 0);
    assertThat(tail.moveForMark(0, RING_BYTES / 2)).isTrue();
    assertThat(chain.seal(batch)).isSameAs(batch);
    assertThat(batch.markLsn).isEqualTo(RING_BYTES / 2);
    assertThat(batch.endLsn).isEqualTo(RING_BYTES / 2 + FrameHeader.BLOCK);
  }

  /// C2, C3: what is written and not forced is released, and not durable.
  @Test
  void aForceOfTheFilesMakesWrittenBatchesDurable() {
    Batch first = sealed();
    Batch second = sealed();
    waitFor(first);
    waitFor(second);
    write(first, Batch.WRITTEN);
    assertThat(tail.releasedLsn()).isEqualTo(first.endLsn);
    assertThat(chain.durableLsn()).isZero();
    assertThat(completed).isEmpty();
    chain.forcedTo(second.endLsn);
    chain.advance();
    assertThat(chain.durableLsn()).as("the second is not written").isEqualTo(first.endLsn);
    assertThat(completed).containsExactly(first.endLsn);
    write(second, Batch.WRITTEN);
    assertThat(chain.durableLsn()).isEqualTo(second.endLsn);
    assertThat(completed).containsExactly(first.endLsn, second.endLsn);
    assertThat(chain.waits()).isEqualTo(2);
    assertThat(chain.locate(second.endLsn)).isNull();
    chain.forcedTo(first.endLsn);
    write(sealed(), Batch.WRITTEN);
    assertThat(chain.durableLsn()).as("a force of less, and later").isEqualTo(second.endLsn);
  }

  /// C2, C3: a batch counts with all before it.
  @Test
  void aBatchWaitsForTheOneBeforeIt() {
    Batch first = sealed();
    Batch second = sealed();
    waitFor(first);
    waitFor(first);
    waitFor(second);
    write(second, Batch.FORCED);
    assertThat(tail.releasedLsn()).isZero();
    assertThat(chain.durableLsn()).isZero();
    write(first, Batch.FORCED);
    assertThat(tail.releasedLsn()).isEqualTo(second.endLsn);
    assertThat(chain.durableLsn()).isEqualTo(second.endLsn);
    assertThat(completed).containsOnly(first.endLsn, second.endLsn).hasSize(3);
    assertThat(chain.waits()).isEqualTo(3);
    assertThat(first.isComplete()).isTrue();
    assertThat(first.push(Waiter.ofThread())).isFalse();
  }

  /// A strong commit in a batch that is written without a force asks for one, whatever comes after
  /// it is left as it is.
  @Test
  void aForceIsWantedForStrongBatchesAlone() {
    Batch weak = sealed();
    write(weak, Batch.WRITTEN);
    assertThat(chain.forceIsWanted()).isFalse();
    Batch strong = sealed();
    strong.forceRequested = true;
    assertThat(chain.forceIsWanted()).as("it is not written").isFalse();
    write(strong, Batch.WRITTEN);
    assertThat(chain.forceIsWanted()).isTrue();
    chain.forcedTo(weak.endLsn);
    chain.advance();
    assertThat(chain.forceIsWanted()).isTrue();
    chain.forcedTo(strong.endLsn);
    chain.advance();
    assertThat(chain.forceIsWanted()).isFalse();
  }

  /// What a strong commit may find to be forced first is bounded by a ring.
  @Test
  void moreThanARingIsNotLeftUnforced() {
    int blocks = RING_BYTES / FrameHeader.BLOCK;
    for (int i = 0; i < blocks; i++) {
      write(sealed(), Batch.WRITTEN);
    }
    assertThat(chain.forceIsWanted()).isFalse();
    write(sealed(), Batch.WRITTEN);
    assertThat(chain.forceIsWanted()).isTrue();
  }

  /// C3
  @Test
  void nothingBecomesDurableAfterAFailureC3() {
    Batch first = sealed();
    waitFor(first);
    waitFor(chain.open());
    failure.fail(new IllegalStateException("for this test"));
    write(first, Batch.FORCED);
    assertThat(chain.durableLsn()).isZero();
    assertThat(tail.releasedLsn()).isZero();
    assertThat(chain.seal(chain.open())).isNull();
    assertThat(completed).isEmpty();
    chain.wakeFailed();
    assertThat(completed).hasSize(2);
    chain.wakeFailed();
    assertThat(completed).as("each is answered once").hasSize(2);
    assertThat(first.isComplete()).isTrue();
  }
}
