package io.varve.internal.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Range;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// About how many bytes the entries of a range take.
class ApproximateBytesTest {
  private static final int COUNT = 2_000;
  private static final int VALUE_BYTES = 100;
  private static final int PAGE_BYTES = 1024;

  private static byte[] key(int number) {
    return "key%08d".formatted(number).getBytes(ISO_8859_1);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static Range range(int from, int to) {
    return Range.of(key(from), key(to));
  }

  @Test
  void rangesTakeAboutWhatTheirEntriesDo() {
    StoreOptions options = StoreOptions.defaults().pageBytes(PAGE_BYTES).cacheBytes(16 << 20);
    try (Store store = Store.inMemory(options)) {
      Space space = store.space("s");
      assertThat(space.approximateBytes(Range.all())).isLessThanOrEqualTo(PAGE_BYTES);
      store.transact(transaction -> {
        for (int i = 0; i < COUNT; i++) {
          transaction.put(space, key(i), value(i));
        }
      });
      long all = space.approximateBytes(Range.all());
      assertThat(all).isBetween(COUNT * VALUE_BYTES / 2L, COUNT * VALUE_BYTES * 3L);
      assertThat(space.approximateBytes(range(0, COUNT))).isBetween(all - PAGE_BYTES, all);
      assertThat(space.approximateBytes(range(500, 1_500)))
          .isBetween(all / 2 - 2 * PAGE_BYTES, all / 2 + 2 * PAGE_BYTES);
      assertThat(space.approximateBytes(range(1_000, 1_001))).isBetween(1L, 2L * PAGE_BYTES);
      assertThat(space.approximateBytes(range(700, 700))).as("no keys").isZero();
      assertThat(space.approximateBytes(range(800, 700))).as("turned around").isZero();
    }
  }
}
