package io.varve.grid.guard.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.container.entries.ImmortalCacheEntry;
import org.infinispan.multimap.impl.ListBucket;
import org.junit.jupiter.api.Test;

/// MEMORY-1: an entry counts once for each 2 KiB that it has begun.
class EntryMemoryTest {
  private static final WrappedByteArray KEY = new WrappedByteArray(new byte[3]);

  private final EntryMemory memory = new EntryMemory();

  private long count(Object value) {
    long count = memory.calculateSize(KEY, value);
    assertThat(memory.calculateSize(KEY, new ImmortalCacheEntry(KEY, value))).isEqualTo(count);
    return count;
  }

  @Test
  void aLargeValueCountsAsSeveralEntries() {
    assertThat(count(new byte[0])).isOne();
    assertThat(count(new WrappedByteArray(new byte[1_500]))).isOne();
    assertThat(count(new WrappedByteArray(new byte[2_048]))).isEqualTo(2);
    assertThat(count(new byte[64 << 20])).isEqualTo((64 << 20 >> 11) + 1);
  }

  @Test
  void elementsCount() {
    var element = new byte[100];
    assertThat(count(ListBucket.create(Collections.nCopies(10, element)))).isOne();
    assertThat(count(ListBucket.create(Collections.nCopies(1_000, element)))).isEqualTo(73);
  }
}
