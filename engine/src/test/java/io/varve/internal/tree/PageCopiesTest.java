package io.varve.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.RecordOrder;
import org.junit.jupiter.api.Test;

/// What a scan leaves of the pages that it passes.
class PageCopiesTest {
  private final PageCopies copies = new PageCopies();

  /// A page whose records are in the order of their inserts: 2, 1, 3.
  private static byte[] unordered() {
    byte[] page = LeafPage.create(1024, new byte[0], 0);
    LeafPage.insert(page, 0, new byte[] {2}, new byte[] {20}, 1);
    LeafPage.insert(page, 0, new byte[] {1}, new byte[] {10}, 1);
    LeafPage.insert(page, 2, new byte[] {3}, new byte[] {30}, 1);
    return page;
  }

  private static Leaf clean(byte[] page) {
    Leaf leaf = new Leaf(64, 7, LeafPage.count(page));
    leaf.page(page);
    return leaf;
  }

  @Test
  void everySecondPageComesIntoKeyOrder() {
    for (int i = 0; i < 6; i++) {
      byte[] page = unordered();
      Leaf leaf = clean(page);
      byte[] shown = copies.clean(leaf, page);
      assertThat(leaf.page()).isSameAs(shown);
      assertThat(shown == page).isEqualTo(i % 2 == 1);
      for (int entry = 0; entry < 3; entry++) {
        assertThat(LeafPage.key(shown, entry)).containsExactly(entry + 1);
        assertThat(LeafPage.value(shown, entry)).containsExactly(10 * (entry + 1));
      }
      assertThat(page).isEqualTo(unordered()); // others may read it
    }
  }

  @Test
  void aPageInOrderStays() {
    byte[] page = RecordOrder.copyInOrder(unordered());
    Leaf leaf = clean(page);
    assertThat(copies.clean(leaf, page)).isSameAs(page);
    assertThat(copies.clean(leaf, page)).isSameAs(page);
  }

  /// A page that left memory would not be counted if it came to the leaf again.
  @Test
  void aPageThatHasLeftMemoryDoesNotReturn() {
    byte[] page = unordered();
    Leaf leaf = clean(page);
    leaf.page(null);
    assertThat(RecordOrder.isSequential(copies.clean(leaf, page))).isTrue();
    assertThat(leaf.page()).isNull();
  }
}
