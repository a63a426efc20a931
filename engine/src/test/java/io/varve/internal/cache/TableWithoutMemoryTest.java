package io.varve.internal.cache;

import io.varve.internal.page.Extent;
import io.varve.internal.page.Leaf;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A table of pages that finds no memory for another length still names all of them. What it forgot
/// would stay in memory, and the search for it would not end. Once there is memory, it has that
/// length.
class TableWithoutMemoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"shorter", "longer"})
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aTableWithoutMemoryForgetsNoPageAndGrowsLater(String length) throws Exception {
    SmallHeap.run(Child.class, length);
  }

  static final class Child {
    private static final int LEAVES = 1 << 15;
    private static final int FILLER_BYTES = 1 << 10;
    private static final long LARGE = 1L << 40;

    /// Of a table that is longer than all leaves need.
    private static final int SLOTS = 1 << 20;

    private Child() {}

    /// Ends with 0 if the table does what it must.
    public static void main(String... arguments) {
      System.exit((arguments[0].equals("longer") ? growsLater() : forgetsNone()) ? 0 : 1);
    }

    private static boolean forgetsNone() {
      HashedRetention table = new HashedRetention();
      long weight = Weight.of(leaf(0));
      int remaining = LEAVES;
      for (int i = 0; i < LEAVES; i++) {
        remaining -= table.add(leaf(i), 4L * LEAVES * weight, false) == null ? 0 : 1;
      }
      Leaf last = leaf(LEAVES);
      byte[][] filler = fill();
      Arrays.fill(filler, 0, 16, null); // for the table, not for all that have no slot in it
      try {
        remaining += table.add(last, 16 * weight, false) == null ? 1 : 0;
      } catch (OutOfMemoryError _) {
        // the last one was not added
      }
      Arrays.fill(filler, null);
      int evicted = 0;
      while (table.evict(LARGE) != null) {
        evicted++;
      }
      return evicted == remaining && table.bytes() == 0;
    }

    private static boolean growsLater() {
      HashedRetention table = new HashedRetention();
      Leaf first = leaf(0);
      long weight = Weight.of(first);
      byte[][] filler = fill();
      table.add(first, SLOTS * weight, false);
      Arrays.fill(filler, null);
      for (int i = 1; i < LEAVES; i++) {
        table.add(leaf(i), SLOTS * weight, false);
      }
      return table.bytes() > LEAVES / 2 * weight;
    }

    /// Takes all of the heap.
    private static byte[][] fill() {
      byte[][] filler = new byte[SmallHeap.MIB << 10][];
      try {
        for (int i = 0; i < filler.length; i++) {
          filler[i] = new byte[FILLER_BYTES];
        }
      } catch (OutOfMemoryError _) {
        return filler;
      }
      throw new AssertionError("the heap is too large for the filler");
    }

    private static Leaf leaf(int number) {
      Leaf leaf = new Leaf(1, new byte[1]);
      leaf.placed(Extent.of(number + 1, 512), 0, 1);
      return leaf;
    }
  }
}
