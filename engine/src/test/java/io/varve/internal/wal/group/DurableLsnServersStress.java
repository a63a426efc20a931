package io.varve.internal.wal.group;

import io.varve.internal.wal.format.FrameHeader;
import io.varve.internal.wal.segment.Tail;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// (C3) Two servers force a batch each, concurrently. Whichever comes second, and whichever holds
/// the lock then, in the end both batches are durable: a lost advance would leave a commit waiting.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both batches are durable")
@Outcome(expect = Expect.FORBIDDEN, desc = "a batch that is never durable")
@State
public class DurableLsnServersStress {
  private final BatchChain chain;
  private final Batch first;
  private final Batch second;

  /// A log with two batches that are sealed.
  public DurableLsnServersStress() {
    Tail tail = StressChain.tail();
    chain = StressChain.withRecord(tail);
    first = chain.seal(chain.open());
    tail.tryReserve(40);
    second = chain.seal(chain.open());
  }

  private int batchesDurable() {
    return (int) (chain.durableLsn() / FrameHeader.BLOCK);
  }

  @Actor
  public void firstServer() {
    first.state = Batch.FORCED;
    chain.advance();
  }

  @Actor
  public void secondServer() {
    second.state = Batch.FORCED;
    chain.advance();
  }

  @Arbiter
  public void end(I_Result result) {
    result.r1 = batchesDurable();
  }
}
