package io.varve.internal.wal;

import io.varve.internal.disk.Clock;
import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// (C3) Two servers force a batch each, at once. Whichever comes second, and whichever holds the
/// lock meanwhile, in the end both batches are durable: a lost advance would leave a commit
/// waiting.
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both batches are durable")
@Outcome(expect = Expect.FORBIDDEN, desc = "a batch that is never durable")
@State
public class DurableLsnServersStress {
  /// Its bytes are not touched here.
  private static final Ring RING = new Ring(Arena.global().allocate(1 << 16, 8), 0);

  private final BatchChain chain;
  private final Batch first;
  private final Batch second;

  /// A log with two batches that are sealed.
  public DurableLsnServersStress() {
    Tail tail = new Tail(1 << 16, FrameHeader.BODY, 1 << 20, 0, 0);
    tail.preparedTo(1 << 16);
    Failure failure = new Failure();
    Publication publication = new Publication(RING, tail, Clock.SYSTEM, failure);
    chain = new BatchChain(RING, tail, publication, Clock.SYSTEM, failure, new WaitList(), _ -> {});
    tail.tryReserve(40);
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
