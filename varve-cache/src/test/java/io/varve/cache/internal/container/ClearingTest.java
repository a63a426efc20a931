package io.varve.cache.internal.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// A clear of a cache was one commit for each of its spaces. It was refused where a space needed
/// more of the heap than one transaction may.
class ClearingTest {
  private static final byte[] BEFORE = {0};
  private static final byte[] AFTER = {2};

  private static byte[] key(int number) {
    return ByteBuffer.allocate(5).put((byte) 1).putInt(number).array();
  }

  private static long commitsOfClear(int entries, int valueBytes) {
    try (Store store = Store.inMemory(StoreOptions.defaults().durability(Durability.NONE))) {
      Space space = store.space("s");
      byte[] value = new byte[valueBytes];
      space.put(BEFORE, value);
      space.put(AFTER, value);
      store.transact(tx -> {
        for (int i = 0; i < entries; i++) {
          tx.put(space, key(i), value);
        }
      });
      long before = store.statistics().commits().applied();
      Clearing.clear(space, Range.prefix(new byte[] {1}));
      assertThat(space.count(Range.all())).isEqualTo(2);
      assertThat(space.contains(BEFORE)).isTrue();
      assertThat(space.contains(AFTER)).isTrue();
      return store.statistics().commits().applied() - before;
    }
  }

  @Test
  void aCommitRemovesSoManyEntriesOrBytesAtMost() {
    assertThat(commitsOfClear(0, 1)).isZero();
    assertThat(commitsOfClear(20_000, 1)).isEqualTo(1);
    assertThat(commitsOfClear(20_001, 1)).isEqualTo(2);
    assertThat(commitsOfClear(5000, 2000)).isEqualTo(3);
  }
}
