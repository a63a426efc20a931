package io.varve.internal.wal.group;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// (B2) A thread that wants a force and one that has written without one do not miss each other.
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each saw the other")
@Outcome(
    id = "1, 0",
    expect = Expect.ACCEPTABLE,
    desc = "the thread that wants the force saw the write")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the writer saw that it is wanted")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "a commit that waits forever")
@State
public class BatchForceWantedStress {
  private final Batch batch = new Batch(0);

  @Actor
  public void committer(II_Result result) {
    batch.forceRequested = true;
    result.r1 = batch.state == Batch.WRITTEN ? 1 : 0;
  }

  @Actor
  public void writer(II_Result result) {
    batch.state = Batch.WRITTEN;
    result.r2 = batch.forceRequested ? 1 : 0;
  }
}
