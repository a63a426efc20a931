package io.varve.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/// What the cache promises: its budget, and that what is used often outlives what is used once.
class PageCacheTest {
  private static final int PAGE_BYTES = 1000;
  private static final int WEIGHT = PAGE_BYTES + 96;
  private static final int PAGES_MAX = 200;

  private final PageCache cache = new PageCache((long) PAGES_MAX * WEIGHT);
  private int made;

  private Leaf reference() {
    made++;
    return new Leaf(Extent.of(64 + made, 100), made, 1);
  }

  /// As `Pages.load` does it.
  private void read(Leaf leaf) {
    if (leaf.page() == null) {
      leaf.page(new byte[PAGE_BYTES]);
      cache.admit(leaf);
    }
  }

  private List<Leaf> references(int count) {
    List<Leaf> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leaves.add(reference());
    }
    return leaves;
  }

  private static long inMemory(List<Leaf> leaves) {
    return leaves.stream().filter(leaf -> leaf.page() != null).count();
  }

  @Test
  void budgetIsHeldAndUsed() {
    List<Leaf> leaves = references(3 * PAGES_MAX);
    for (Leaf leaf : leaves) {
      read(leaf);
      assertThat(cache.bytes()).isLessThanOrEqualTo(cache.bytesMax());
    }
    assertThat(inMemory(leaves)).isEqualTo(PAGES_MAX);
    assertThat(cache.bytes()).isEqualTo(PAGES_MAX * WEIGHT);
    assertThat(cache.evictions()).isEqualTo(2 * PAGES_MAX);
  }

  /// Whatever is read, made dirty and written, in any order, the accounts are those of what is in
  /// memory. Where everything was used often one page pays for the rounds of many, so the budget
  /// may be passed by a little.
  @Property(tries = 50)
  void accountsHoldUnderAnyUse(@ForAll long seed) {
    PageCacheTest test = new PageCacheTest();
    SplittableRandom random = new SplittableRandom(seed);
    List<Leaf> leaves = test.references(3 * PAGES_MAX);
    long dirty = 0;
    for (int i = 0; i < 5000; i++) {
      int at = random.nextInt(leaves.size());
      switch (random.nextInt(10)) {
        case 0 -> {
          long bytes = random.nextInt(PAGES_MAX * WEIGHT / 20);
          test.cache.dirty(bytes);
          dirty += bytes;
        }
        case 1 -> {
          test.cache.dirty(-dirty);
          dirty = 0;
        }
        default -> {
          Leaf leaf = leaves.get(random.nextBoolean() ? at : at / 10);
          test.read(leaf);
          leaf.touch();
        }
      }
      assertThat(test.cache.dirtyBytes()).isEqualTo(dirty);
      assertThat(test.cache.bytes()).isEqualTo(dirty + inMemory(leaves) * WEIGHT);
      if (dirty < test.cache.bytesMax()) {
        assertThat(test.cache.bytes()).isLessThan(test.cache.bytesMax() * 11 / 10);
      }
    }
  }

  @Test
  void dirtyPagesTakeTheirShareOfTheBudget() {
    List<Leaf> leaves = references(PAGES_MAX);
    leaves.forEach(this::read);
    cache.dirty(50 * WEIGHT);
    assertThat(cache.bytes()).isLessThanOrEqualTo(cache.bytesMax());
    assertThat(inMemory(leaves)).isEqualTo(PAGES_MAX - 50);
    cache.dirty(-50 * WEIGHT);
    assertThat(cache.dirtyBytes()).isZero();
  }

  /// Pages that are used again and again stay while ten times the budget is read once.
  @Test
  void scanDoesNotPushOutHotPages() {
    List<Leaf> hot = references(PAGES_MAX / 2);
    for (int round = 0; round < 4; round++) {
      for (Leaf leaf : hot) {
        read(leaf);
        leaf.touch();
      }
    }
    for (int i = 0; i < 10 * PAGES_MAX; i++) {
      read(reference());
      Leaf used = hot.get(i % hot.size());
      read(used);
      used.touch();
    }
    assertThat(inMemory(hot)).isEqualTo(hot.size());
  }

  /// What comes back soon after it was dropped was dropped too early: it goes where it stays
  /// longer.
  @Test
  void pageThatComesBackSoonStaysLonger() {
    references(PAGES_MAX).forEach(this::read);
    Leaf again = reference();
    read(again);
    List<Leaf> others = references(PAGES_MAX);
    others.forEach(this::read);
    assertThat(again.page()).as("dropped").isNull();
    read(again);
    references(PAGES_MAX).forEach(this::read);
    assertThat(again.page()).as("kept the second time").isNotNull();
  }

  /// Without its inner page a leaf in memory cannot be found.
  @Test
  void innerPagesStayWhileAChildIsInMemory() {
    Leaf child = reference();
    Inner parent = new Inner(Extent.of(9999, 100), 1, 1, 1);
    parent.branches(new Branches(new Node[] {child, reference()}, new byte[][] {{1}}));
    cache.admit(parent);
    read(child);
    child.touch();
    for (int i = 0; i < 20 * PAGES_MAX; i++) {
      read(reference());
      child.touch();
    }
    assertThat(child.page()).isNotNull();
    assertThat(parent.branches()).isNotNull();
  }
}
