package io.varve.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Space;
import io.varve.Store;
import io.varve.internal.page.Leaf;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceCoreTest {
  private static final byte[] KEY = {1};
  private static final byte[] ABSENT = {2};

  @TempDir Path directory;

  /// Thousands of spaces held a page each outside of the cache's budget: that of their last change.
  @Test
  void aSpaceHoldsNoPageThatWasWrittenAndLeftTheCache() {
    try (Store store = Store.open(directory)) {
      Space space = store.space("s");
      space.put(KEY, KEY);
      store.checkpoint();
      requireCollected(evict(space, store));
      space.delete(ABSENT); // finds nothing, and so no checkpoint follows
      requireCollected(evict(space, store));
      assertThat(space.get(KEY)).isEqualTo(KEY);
      store.verify().requireSound();
    }
  }

  /// Drops the page of the only leaf as the cache does.
  private static WeakReference<byte[]> evict(Space space, Store store) {
    Leaf leaf = (Leaf) SpaceHandle.coreOf(space, store).tree().root();
    assertThat(leaf.isClean()).isTrue();
    byte[] page = Objects.requireNonNull(leaf.page());
    leaf.page(null);
    return new WeakReference<>(page);
  }

  private static void requireCollected(WeakReference<byte[]> page) {
    for (int i = 0; i < 20 && page.get() != null; i++) {
      System.gc();
    }
    assertThat(page.get()).isNull();
  }
}
