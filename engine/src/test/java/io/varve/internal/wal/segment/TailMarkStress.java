package io.varve.internal.wal.segment;

import io.varve.internal.wal.format.FrameHeader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// (A1) The mark that ends a batch gets bytes of its own, or knows that a commit was quicker.
@JCStressTest
@Outcome(id = "0, -1, 64", expect = Expect.ACCEPTABLE, desc = "the commit came in between")
@Outcome(id = "0, 64, 4096", expect = Expect.ACCEPTABLE, desc = "the mark is last")
@Outcome(id = "4096, 0, 4160", expect = Expect.ACCEPTABLE, desc = "the mark is first")
@Outcome(expect = Expect.FORBIDDEN, desc = "a gap or an overlap")
@State
public class TailMarkStress {
  private final Tail tail = new Tail(1 << 16, FrameHeader.BODY, 1 << 20, 0, 0);

  /// A log with capacity.
  public TailMarkStress() {
    tail.preparedTo(1 << 16);
  }

  @Actor
  public void commit(III_Result result) {
    result.r1 = (int) tail.tryReserve(40);
  }

  @Actor
  public void sealer(III_Result result) {
    long at = tail.lsn();
    long end = FrameHeader.blockCeil(at + FrameHeader.FILL);
    result.r2 = tail.moveForMark(at, end) ? (int) at : -1;
  }

  @Arbiter
  public void end(III_Result result) {
    result.r3 = (int) tail.lsn();
  }
}
