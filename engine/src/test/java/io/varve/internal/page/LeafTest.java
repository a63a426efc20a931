package io.varve.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The version by which readers without a lock see that a page changed under them.
class LeafTest {
  private final Leaf leaf = new Leaf(1, LeafPage.create(1024, new byte[0], 0));

  /// Guards against a version that comes back: a reader of before would take torn bytes for whole.
  @Test
  void noVersionComesTwice() {
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int before = leaf.version();
      assertThat(before & 1).as("the page is whole").isZero();
      assertThat(seen.add(before)).isTrue();
      leaf.beginChange();
      assertThat(leaf.validate(before)).isFalse();
      int during = leaf.version();
      assertThat(during & 1).as("the page changes").isOne();
      assertThat(seen.add(during)).isTrue();
      leaf.endChange();
      assertThat(leaf.validate(before)).isFalse();
      assertThat(leaf.validate(during)).isFalse();
      assertThat(leaf.validate(leaf.version())).isTrue();
    }
  }

  @Test
  void anObsoleteLeafIsNeverValidAgain() {
    int before = leaf.version();
    leaf.becomeObsolete();
    assertThat(leaf.validate(before)).isFalse();
    assertThat(leaf.version() & 1).isOne();
  }
}
