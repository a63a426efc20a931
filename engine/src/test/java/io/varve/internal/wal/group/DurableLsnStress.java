package io.varve.internal.wal.group;

import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Tail;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// (C3) The durable LSN passes a batch only when it and all before it are forced; what was done
/// before a force is seen by each thread that sees the LSN; the LSN never falls.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing durable yet")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first batch between the looks")
@Outcome(id = "0, 3, 2", expect = Expect.ACCEPTABLE, desc = "all between the looks")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first batch")
@Outcome(id = "1, 3, 2", expect = Expect.ACCEPTABLE, desc = "the first, then all")
@Outcome(id = "3, 3, 2", expect = Expect.ACCEPTABLE, desc = "all batches")
@Outcome(expect = Expect.FORBIDDEN, desc = "durable before the force, or falling")
@State
public class DurableLsnStress {
  private final BatchChain chain;
  private final Batch first;
  private final Batch second;
  private final Batch third;

  // Plain: ordered by the chain alone.
  private int firstForced;
  private int othersForced;

  /// A log with three batches that are sealed.
  public DurableLsnStress() {
    Tail tail = StressChain.tail();
    chain = StressChain.withRecord(tail);
    first = chain.seal(chain.open());
    tail.tryReserve(40);
    second = chain.seal(chain.open());
    tail.tryReserve(40);
    third = chain.seal(chain.open());
  }

  private int batchesDurable() {
    return (int) (chain.durableLsn() / FrameHeader.BLOCK);
  }

  /// The last two batches are forced in the wrong order: neither counts before both are.
  @Actor
  public void server() {
    firstForced = 1;
    first.state = Batch.FORCED;
    chain.advance();
    third.state = Batch.FORCED;
    chain.advance();
    othersForced = 1;
    second.state = Batch.FORCED;
    chain.advance();
  }

  @Actor
  public void committer(III_Result result) {
    result.r1 = batchesDurable();
    result.r2 = batchesDurable();
    result.r3 =
        switch (result.r2) {
          case 0 -> 0;
          case 1 -> firstForced;
          default -> firstForced + othersForced;
        };
  }
}
