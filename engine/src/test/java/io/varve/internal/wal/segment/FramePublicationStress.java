package io.varve.internal.wal.segment;

import io.varve.internal.wal.format.FrameHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// (R2) A thread that sees the length of a frame sees the whole frame.
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not published yet")
@Outcome(id = "33, 1, 3, 4", expect = Expect.ACCEPTABLE, desc = "the whole frame")
@Outcome(expect = Expect.FORBIDDEN, desc = "a length without its frame")
@State
public class FramePublicationStress {
  private static final int BYTES = 64;

  private final Ring ring = SmallLog.ring(Arena.ofAuto().allocate(BYTES, 8), 5);

  @Actor
  public void committer() {
    ring.putHeader(0, FrameHeader.COMMIT);
    ring.memory(0).set(ValueLayout.JAVA_BYTE, FrameHeader.BODY, (byte) 3);
    ring.memory(0).set(ValueLayout.JAVA_BYTE, 32, (byte) 4);
    ring.publish(0, FrameHeader.COMMIT, 33);
  }

  @Actor
  public void walker(IIII_Result result) {
    int length = ring.lengthAt(0);
    if (length != 0) {
      result.r1 = length;
      result.r2 = ring.typeAt(0);
      result.r3 = ring.memory(0).get(ValueLayout.JAVA_BYTE, FrameHeader.BODY);
      result.r4 = ring.memory(0).get(ValueLayout.JAVA_BYTE, 32);
    }
  }
}
