package io.varve.internal.wal.segment;

import io.varve.internal.wal.format.FrameHeader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// (A1) Commits get bytes that follow each other without gap or overlap.
@JCStressTest
@Outcome(id = "0, 64, 184", expect = Expect.ACCEPTABLE, desc = "the short one first")
@Outcome(id = "120, 0, 184", expect = Expect.ACCEPTABLE, desc = "the long one first")
@Outcome(expect = Expect.FORBIDDEN, desc = "a gap or an overlap")
@State
public class TailReservationStress {
  private final Tail tail = new Tail(1 << 16, FrameHeader.BODY, 1 << 20, 0, 0);

  /// A log with capacity.
  public TailReservationStress() {
    tail.preparedTo(1 << 16);
  }

  @Actor
  public void shortCommit(III_Result result) {
    result.r1 = (int) tail.tryReserve(40);
  }

  @Actor
  public void longCommit(III_Result result) {
    result.r2 = (int) tail.tryReserve(100);
  }

  @Arbiter
  public void end(III_Result result) {
    result.r3 = (int) tail.lsn();
  }
}
