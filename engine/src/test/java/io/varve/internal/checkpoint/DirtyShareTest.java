package io.varve.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.PageRetention;
import io.varve.internal.cache.PageCache;
import io.varve.internal.cache.Pages;
import io.varve.internal.disk.MemoryDisk;
import io.varve.internal.file.PageFile;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// From how many dirty bytes on a checkpoint, a spill and the delays of writers begin.
class DirtyShareTest {
  private static final int BUDGET = 1 << 20;

  /// What a leaf takes in memory apart from its page.
  private static final int LEAF_BYTES = 96;

  private final PageFile file = PageFile.open(new MemoryDisk(), PageFile.NAME);
  private final PageCache cache = new PageCache(file.locks(), PageRetention.S3_FIFO, BUDGET, 1);
  private final Pages pages = new Pages(file, cache, 1024);
  private final DirtyShare share = new DirtyShare(pages);

  DirtyShareTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  private void dirty(long bytes) {
    pages.newLeaf(1, new byte[(int) (bytes - cache.dirtyBytes() - LEAF_BYTES)]);
    assertThat(cache.dirtyBytes()).isEqualTo(bytes);
    assertThat(cache.dirtyBytesMax()).isEqualTo(BUDGET);
  }

  @Test
  void aCheckpointIsWantedFromHalfOfTheBudgetOn() {
    dirty(BUDGET / 2 - LEAF_BYTES);
    assertThat(share.wantsCheckpoint()).isFalse();
    dirty(BUDGET / 2);
    assertThat(share.wantsCheckpoint()).isTrue();
    assertThat(share.wantsSpillOfReplay()).isFalse();
  }

  @Test
  void aReplaySpillsFromThreeQuartersOn() {
    dirty(BUDGET / 4 * 3 - LEAF_BYTES);
    assertThat(share.wantsSpillOfReplay()).isFalse();
    dirty(BUDGET / 4 * 3);
    assertThat(share.wantsSpillOfReplay()).isTrue();
  }

  @Test
  void writersAreSlowedMoreAndMoreUntilTheBudgetIsFull() {
    long slow = (long) (BUDGET * 0.7);
    dirty(slow);
    assertThat(share.isSlowing()).isFalse();
    assertThat(share.urgency()).isZero();
    dirty(slow + LEAF_BYTES);
    assertThat(share.isSlowing()).isTrue();
    dirty((long) (BUDGET * 0.825));
    assertThat(share.urgency()).isCloseTo(0.5, within(0.001));
    dirty((long) (BUDGET * 0.95) + LEAF_BYTES);
    assertThat(share.urgency()).isEqualTo(1);
    assertThat(share.isFull()).isFalse();
    dirty(BUDGET);
    assertThat(share.isFull()).isTrue();
    assertThat(share.urgency()).isEqualTo(1);
  }
}
