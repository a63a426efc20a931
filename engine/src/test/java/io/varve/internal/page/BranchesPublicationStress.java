package io.varve.internal.page;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A split replaces the branches of an inner node, and a copy of a child replaces that in its slot,
/// each by one store: a reader goes down by the old or by the new, and finds the page it leads to.
@JCStressTest
@Outcome(id = "0, 10, 10", expect = Expect.ACCEPTABLE, desc = "the old child")
@Outcome(id = "0, 11, 11", expect = Expect.ACCEPTABLE, desc = "the copy in the old branches")
@Outcome(id = "1, 12, 12", expect = Expect.ACCEPTABLE, desc = "the right half, by new branches")
@Outcome(expect = Expect.FORBIDDEN, desc = "branches or a page half made")
@State
public class BranchesPublicationStress {
  private static final byte[] KEY = {9};

  private final Inner inner;

  /// An inner node with one child.
  public BranchesPublicationStress() {
    inner = new Inner(1, 1, new Branches(new Node[] {leaf(10)}, new byte[0][]));
  }

  private static Leaf leaf(int mark) {
    byte[] page = LeafPage.create(128, new byte[0], 0);
    LeafPage.insert(page, 0, KEY, new byte[] {(byte) mark, (byte) mark}, 2);
    return new Leaf(1, page);
  }

  @Actor
  public void writer() {
    Branches branches = inner.branches();
    branches.child(0, leaf(11));
    Node[] halves = {leaf(13), leaf(12)};
    inner.branches(branches.replace(0, halves, new byte[][] {{5}}));
  }

  @Actor
  public void reader(III_Result result) {
    Branches branches = inner.branches();
    int slot = branches.find(KEY);
    byte[] page = ((Leaf) branches.child(slot)).page();
    byte[] value = LeafPage.value(page, LeafPage.find(page, KEY));
    result.r1 = slot;
    result.r2 = value[0];
    result.r3 = value[1];
  }
}
