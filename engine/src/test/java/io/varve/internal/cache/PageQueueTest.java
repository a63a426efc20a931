package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.page.Leaf;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class PageQueueTest {
  private static final int PAGE_BYTES = 100;

  private static Leaf leaf() {
    return new Leaf(1, new byte[PAGE_BYTES]);
  }

  @Test
  void nodesComeInOrderExceptThoseTakenOut() {
    PageQueue<Leaf> queue = new PageQueue<>();
    Leaf first = leaf();
    Leaf second = leaf();
    Leaf third = leaf();
    queue.add(first);
    queue.add(second);
    queue.add(third);
    queue.remove(second);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.holds(second)).isFalse();
    assertThat(queue.poll()).isSameAs(first);
    queue.add(second);
    assertThat(queue.poll()).isSameAs(third);
    assertThat(queue.poll()).isSameAs(second);
    assertThat(queue.poll()).isNull();
    assertThat(queue.bytes()).isZero();
    assertThat(queue.size()).isZero();
  }

  /// A node that was taken out and added again comes at its new position alone.
  @Test
  void aNodeHasOnePlace() {
    PageQueue<Leaf> queue = new PageQueue<>();
    Leaf moved = leaf();
    Leaf other = leaf();
    queue.add(moved);
    queue.add(other);
    queue.remove(moved);
    queue.add(moved);
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.poll()).isSameAs(other);
    assertThat(queue.poll()).isSameAs(moved);
    assertThat(queue.poll()).isNull();
  }

  /// Pages that are dirty when they are taken out keep their bytes, so nothing may lead to them.
  @Test
  void aNodeTakenOutIsNotKeptInMemory() {
    PageQueue<Leaf> queue = new PageQueue<>();
    WeakReference<Leaf> left = addAndRemove(queue);
    queue.add(leaf());
    for (int i = 0; i < 100 && left.get() != null; i++) {
      System.gc();
    }
    assertThat(left.get()).isNull();
  }

  private static WeakReference<Leaf> addAndRemove(PageQueue<Leaf> queue) {
    Leaf leaf = leaf();
    queue.add(leaf);
    queue.remove(leaf);
    return new WeakReference<>(leaf);
  }
}
