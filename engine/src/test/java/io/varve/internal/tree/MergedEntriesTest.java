package io.varve.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.page.LeafPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many entries go into a leaf.
class MergedEntriesTest {
  private static final int PAGE_BYTES = 8192;
  private static final int PREFIX_BYTES = 40;
  private static final int COUNT = 5_000;

  /// Keys that differ in their last bytes alone.
  private static final Changes CHANGES =
      new Changes() {
        @Override
        public int size() {
          return COUNT;
        }

        @Override
        public byte[] key(int index) {
          return ByteBuffer.allocate(PREFIX_BYTES + Integer.BYTES)
              .putInt(PREFIX_BYTES, index)
              .array();
        }

        @Override
        public byte @Nullable [] value(int index) {
          return new byte[0];
        }

        @Override
        public int tag(int index) {
          return 0;
        }
      };

  /// Guards against leaves that are cut as if each entry held its whole key, and stay nearly empty.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void leavesAreFullAlsoOfKeysThatShareAPrefix(boolean append) {
    MergedEntries entries = new MergedEntries(1);
    byte[] empty = LeafPage.create(PAGE_BYTES, new byte[0], 0);
    entries.merge(empty, CHANGES, 0, COUNT);
    List<byte[]> pages = entries.cut(PAGE_BYTES, /* fillPercent= */ 100, append);
    int count = 0;
    List<Integer> liveBytes = new ArrayList<>();
    for (byte[] page : pages) {
      assertThat(page).hasSize(PAGE_BYTES);
      count += LeafPage.count(page);
      liveBytes.add(LeafPage.liveBytes(page));
    }
    assertThat(count).isEqualTo(COUNT);
    liveBytes.removeLast();
    assertThat(liveBytes).allMatch(live -> live > PAGE_BYTES * 9 / 10);
  }

  /// Guards against leaves that a replay fills, so that the next few puts split each of them.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void leavesAreAsFullAsTheyAreToBe(boolean append) {
    MergedEntries entries = new MergedEntries(1);
    entries.merge(LeafPage.create(PAGE_BYTES, new byte[0], 0), CHANGES, 0, COUNT);
    List<byte[]> pages = new ArrayList<>(entries.cut(PAGE_BYTES, /* fillPercent= */ 75, append));
    pages.removeLast();
    assertThat(pages)
        .isNotEmpty()
        .extracting(LeafPage::liveBytes)
        .allMatch(live -> live > PAGE_BYTES * 65 / 100 && live < PAGE_BYTES * 82 / 100);
  }
}
