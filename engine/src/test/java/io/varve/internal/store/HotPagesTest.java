package io.varve.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What is read once does not push out of memory what is read often, in a whole store: the reads of
/// cursors and gets must count as the cache expects, where loading a page is no use of it.
class HotPagesTest {
  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static final int STORE_KEYS = 20_000;
  private static final int HOT_KEYS = 1000;

  private static Store filledStore() {
    StoreOptions options =
        StoreOptions.defaults()
            .pageBytes(1024)
            .cacheBytes(1 << 20)
            .log(log -> log.bufferBytes(1 << 20))
            .durability(Durability.BACKGROUND);
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Store store = SimulatedStore.open(disk, options)) {
      Space space = store.space("s");
      for (int i = 0; i < STORE_KEYS; i++) {
        space.put(key(i), new byte[200]);
      }
    }
    // Opened again: a cache that remembers pages dropped while they were written, as chance had it,
    // would take these for pages that are used again.
    return SimulatedStore.open(disk, options);
  }

  /// A fifth of the budget, used often.
  private static void readHot(Space space) {
    for (int i = 0; i < HOT_KEYS; i++) {
      assertThat(space.get(key(i))).hasSize(200);
    }
  }

  private static void requireHotStays(Consumer<Space> other) {
    try (Store store = filledStore()) {
      Space space = store.space("s");
      for (int round = 0; round < 5; round++) {
        readHot(space);
      }
      other.accept(space);
      long before = store.statistics().cache().loads();
      readHot(space);
      long loads = store.statistics().cache().loads() - before;
      store.verify().requireSound();
      assertThat(loads)
          .as("hot leaves loaded again, of %d", HOT_KEYS / 4)
          .isLessThan(HOT_KEYS / 4 / 2);
    }
  }

  @Test
  void scanOfAStoreDoesNotPushOutHotPages() {
    requireHotStays(space -> {
      int count = 0;
      for (Entry entry : space.scan(Range.atLeast(key(HOT_KEYS)))) {
        count += entry.value().length / 200;
      }
      assertThat(count).isEqualTo(STORE_KEYS - HOT_KEYS);
    });
  }

  @Test
  void keysReadOnceDoNotPushOutHotPages() {
    requireHotStays(space -> {
      // Each leaf holds less than eight, so that none is read twice.
      int reads = (STORE_KEYS - HOT_KEYS) / 8;
      for (int i = 0; i < reads; i++) {
        int shuffled = (int) (i * 7919L % reads);
        assertThat(space.get(key(HOT_KEYS + 8 * shuffled))).isNotNull();
      }
    });
  }
}
