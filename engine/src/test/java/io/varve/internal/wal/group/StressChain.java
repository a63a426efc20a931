package io.varve.internal.wal.group;

import io.varve.internal.disk.Clock;
import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Failure;
import io.varve.internal.wal.segment.LogParts;
import io.varve.internal.wal.segment.Ring;
import io.varve.internal.wal.segment.SmallLog;
import io.varve.internal.wal.segment.Tail;
import java.lang.foreign.Arena;

/// Chains of batches for the stress tests, over a ring whose bytes are not touched.
final class StressChain {
  private static final int RING_BYTES = 1 << 16;
  private static final Ring RING = SmallLog.ring(Arena.global().allocate(RING_BYTES, 8), 0);

  private StressChain() {}

  /// A chain whose one batch is open and holds a record.
  static BatchChain withRecord(Tail tail) {
    tail.preparedTo(RING_BYTES);
    Failure failure = new Failure(tail::close);
    LogParts log = SmallLog.parts(RING, tail, failure);
    var chain = new BatchChain(log, Clock.SYSTEM, new WaitList(), _ -> {});
    tail.tryReserve(40);
    return chain;
  }

  static Tail tail() {
    return new Tail(RING_BYTES, FrameHeader.BODY, 1 << 20, 0, 0);
  }
}
