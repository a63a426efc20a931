package io.varve.internal.cache;

import io.varve.internal.page.Leaf;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A queue of pages that finds no memory for one more still names all others in order. What it
/// forgot would stay in memory, and never leave.
class QueueWithoutMemoryTest {
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aQueueWithoutMemoryForgetsNoPage() throws Exception {
    SmallHeap.run(Child.class);
  }

  static final class Child {
    /// So many lengths are tried that an array in its place would have to grow at one of them.
    private static final int LENGTHS = 16;

    private static final int FILLER_BYTES = 1 << 10;

    private Child() {}

    /// Ends with 0 if no queue forgot a page.
    public static void main(String... arguments) {
      Leaf[] leaves = new Leaf[1 << 17];
      Arrays.setAll(leaves, _ -> new Leaf(1, new byte[1]));
      byte[][] filler = new byte[SmallHeap.MIB << 10][];
      int length = leaves.length / 16;
      for (int i = 0; i < LENGTHS; i++) {
        if (!isWhole(leaves, filler, length)) {
          System.exit(1);
        }
        length += length / 16;
      }
    }

    /// Adds some leaves, and then more until memory is lacking: there is hardly any. Then takes all
    /// of them.
    private static boolean isWhole(Leaf[] leaves, byte[][] filler, int length) {
      PageQueue<Leaf> queue = new PageQueue<>();
      int added = 0;
      while (added < length) {
        queue.add(leaves[added++]);
      }
      try {
        for (int i = 0; i < filler.length; i++) {
          filler[i] = new byte[FILLER_BYTES];
        }
        throw new AssertionError("the heap is too large for the filler");
      } catch (OutOfMemoryError _) {
        Arrays.fill(filler, 0, length / 85, null); // 12 bytes for each that is there
      }
      try {
        while (true) {
          queue.add(leaves[added]);
          added++;
        }
      } catch (OutOfMemoryError _) {
        Arrays.fill(filler, null);
      }
      int taken = 0;
      while (taken < added && leaves[taken].equals(queue.poll())) {
        taken++;
      }
      return taken == added && queue.poll() == null && queue.bytes() == 0;
    }
  }
}
