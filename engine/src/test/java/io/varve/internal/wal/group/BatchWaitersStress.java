package io.varve.internal.wal.group;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// (B3) A thread that is taken as a waiter is woken; one that comes too late is refused.
@JCStressTest
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "both wait and are woken")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the second came too late")
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "both came too late")
@Outcome(expect = Expect.FORBIDDEN, desc = "a waiter that no thread wakes")
@State
public class BatchWaitersStress {
  private final Batch batch = new Batch(0);

  @Actor
  public void waiters(III_Result result) {
    result.r1 = batch.push(Waiter.ofThread()) ? 1 : 0;
    result.r2 = batch.push(Waiter.ofThread()) ? 1 : 0;
  }

  @Actor
  public void closer(III_Result result) {
    int woken = 0;
    for (Waiter at = batch.closeWaiters(); at != null; at = at.next) {
      woken++;
    }
    result.r3 = woken;
  }
}
