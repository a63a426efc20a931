package io.varve.internal.page;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// (L3) A thread that finds the page of a leaf in memory finds all of it. So it is even if another
/// thread loaded it, which took no lock that this one takes.
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "not in memory yet")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "all of the page")
@Outcome(expect = Expect.FORBIDDEN, desc = "a page half made")
@State
public class LeafPagePublicationStress {
  private static final byte[] KEY = {5};
  private static final byte[] VALUE = {7};

  private final Leaf leaf = new Leaf(Extent.of(64, 100), 0, 1);

  @Actor
  public void loader() {
    byte[] page = LeafPage.create(128, new byte[0], 0);
    LeafPage.insert(page, 0, KEY, VALUE, 1);
    leaf.page(page);
  }

  @Actor
  public void reader(II_Result result) {
    byte[] page = leaf.page();
    if (page == null) {
      result.r1 = -1;
      result.r2 = -1;
      return;
    }
    result.r1 = LeafPage.count(page);
    int index = LeafPage.find(page, KEY);
    result.r2 = index == 0 ? LeafPage.value(page, 0)[0] : -2;
  }
}
