package io.varve.internal.wal.group;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A thread that searches for the batch to wait for finds the one that holds what it wants, or none
/// if that is durable: the batch after is empty and might never be written.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "durable already")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the batch that holds it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a batch that begins after it")
@State
public class BatchLocateStress {
  private final BatchChain chain;
  private final Batch sealed;

  /// A log with one sealed batch, and an empty one after it.
  public BatchLocateStress() {
    chain = StressChain.withRecord(StressChain.tail());
    sealed = chain.seal(chain.open());
  }

  @Actor
  public void server() {
    sealed.state = Batch.FORCED;
    chain.advance();
  }

  @Actor
  public void committer(I_Result result) {
    Batch found = chain.locate(sealed.endLsn);
    if (found == null) {
      result.r1 = 0;
    } else {
      result.r1 = found == sealed ? 1 : 2;
    }
  }
}
