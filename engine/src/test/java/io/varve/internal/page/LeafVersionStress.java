package io.varve.internal.page;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// (L1) What a reader read counts only if it is one state of the page: a value is overwritten in
/// place, and another entry is inserted, under one change of the version.
@JCStressTest
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "before the change")
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "after the change")
@Outcome(id = "-1, -1, -1", expect = Expect.ACCEPTABLE, desc = "the reader must start again")
@Outcome(expect = Expect.FORBIDDEN, desc = "a torn read was validated")
@State
public class LeafVersionStress {
  private static final byte[] KEY = {5};
  private static final byte[] SECOND_KEY = {6};
  private static final byte[] ZEROS = new byte[40];
  private static final byte[] ONES = ones();

  private final Leaf leaf;

  /// A leaf of one entry.
  public LeafVersionStress() {
    byte[] page = LeafPage.create(256, new byte[0], 0);
    LeafPage.insert(page, 0, KEY, ZEROS, ZEROS.length);
    leaf = new Leaf(1, page);
  }

  private static byte[] ones() {
    byte[] ones = new byte[40];
    Arrays.fill(ones, (byte) 1);
    return ones;
  }

  @Actor
  public void writer() {
    byte[] page = leaf.page();
    leaf.beginChange();
    LeafPage.overwriteValue(page, 0, ONES, ONES.length);
    LeafPage.insert(page, 1, SECOND_KEY, ZEROS, ZEROS.length);
    leaf.endChange();
  }

  @Actor
  public void reader(III_Result result) {
    int version = leaf.version();
    byte[] page = leaf.page();
    int first = -1;
    int last = -1;
    int count = -1;
    try {
      int index = LeafPage.find(page, KEY);
      byte[] value = LeafPage.value(page, index);
      first = value[0];
      last = value[value.length - 1];
      count = LeafPage.count(page);
    } catch (IndexOutOfBoundsException e) {
      count = -2; // counts only if it is validated
    }
    boolean valid = (version & 1) == 0 && leaf.validate(version);
    result.r1 = valid ? first : -1;
    result.r2 = valid ? last : -1;
    result.r3 = valid ? count : -1;
  }
}
