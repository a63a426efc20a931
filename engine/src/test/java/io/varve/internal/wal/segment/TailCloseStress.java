package io.varve.internal.wal.segment;

import io.varve.internal.wal.format.FrameHeader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A commit is reserved before the log closes, and then close knows of it, or is refused.
@JCStressTest
@Outcome(id = "0, 64, 64", expect = Expect.ACCEPTABLE, desc = "reserved, and close waits for it")
@Outcome(id = "-1, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a commit that close does not know of")
@State
public class TailCloseStress {
  private final Tail tail = new Tail(1 << 16, FrameHeader.BODY, 1 << 20, 0, 0);

  /// A log with capacity.
  public TailCloseStress() {
    tail.preparedTo(1 << 16);
  }

  @Actor
  public void commit(III_Result result) {
    result.r1 = (int) tail.tryReserve(40);
  }

  @Actor
  public void close(III_Result result) {
    tail.close();
    result.r2 = (int) tail.lsn();
  }

  @Arbiter
  public void end(III_Result result) {
    result.r3 = (int) tail.lsn();
  }
}
