package io.varve.internal.page;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// (N3) A thread that sees that a node is clean sees its checksum and its count, too.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "dirty still")
@Outcome(id = "77, 5", expect = Expect.ACCEPTABLE, desc = "clean, with all that belongs to it")
@Outcome(expect = Expect.FORBIDDEN, desc = "clean without its checksum or count")
@State
public class NodePlacedStress {
  private final Leaf leaf = new Leaf(1, new byte[0]);

  @Actor
  public void checkpoint() {
    synchronized (leaf) {
      leaf.placed(Extent.of(64, 100), 77, 5);
    }
  }

  @Actor
  public void reader(II_Result result) {
    if (leaf.isClean()) {
      result.r1 = leaf.checksum();
      result.r2 = (int) leaf.entryCount();
    }
  }
}
