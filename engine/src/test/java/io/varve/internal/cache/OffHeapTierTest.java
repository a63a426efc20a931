package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.internal.disk.NativeMemory;
import io.varve.internal.lock.StoreLocks;
import io.varve.internal.page.Branches;
import io.varve.internal.page.Extent;
import io.varve.internal.page.Inner;
import io.varve.internal.page.Leaf;
import io.varve.internal.page.LeafPage;
import io.varve.internal.page.Node;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pages that left the heap come back as they were, or not at all.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OffHeapTierTest {
  private static final long BUDGET_BYTES = 2 << 20;
  private static final int EXTENTS = 2500;

  private final TestMemory memory = new TestMemory();
  private final OffHeapTier tier = new OffHeapTier(new StoreLocks(), BUDGET_BYTES, memory);

  /// Memory that the test can change, and that can be refused.
  private static final class TestMemory extends NativeMemory {
    final List<MemorySegment> pieces = Collections.synchronizedList(new ArrayList<>());
    volatile int piecesMax = Integer.MAX_VALUE;

    @Override
    public MemorySegment allocate(long bytes) {
      if (pieces.size() >= piecesMax) {
        throw new OutOfMemoryError("refused by a test");
      }
      MemorySegment piece = super.allocate(bytes);
      pieces.add(piece);
      return piece;
    }
  }

  @AfterEach
  void close() {
    tier.close();
  }

  /// A clean leaf at one of the extents, whose page matches its checksum.
  private static Leaf leaf(int index, int checksum) {
    return new Leaf(Extent.of(64 + 8L * index, 3000), checksum, 1);
  }

  private static byte[] page(Leaf leaf) {
    SplittableRandom random = new SplittableRandom(leaf.extent() ^ leaf.checksum());
    byte[] page = LeafPage.create(1024 << random.nextInt(4), new byte[0], 0);
    byte[] value = new byte[64];
    for (int i = 0, count = random.nextInt(12); i < count; i++) {
      random.nextBytes(value);
      LeafPage.insert(page, i, new byte[] {(byte) i}, value, value.length);
    }
    return page;
  }

  private void put(Leaf leaf) {
    tier.put(leaf, page(leaf));
  }

  @Test
  void randomChangesAreFoundAsInAMapOrNotAtAll() {
    SplittableRandom random = new SplittableRandom(1);
    Map<Integer, Leaf> model = new HashMap<>();
    for (int step = 0; step < 60_000; step++) {
      int index = random.nextInt(random.nextBoolean() ? 50 : EXTENTS);
      Leaf present = model.get(index);
      switch (random.nextInt(8)) {
        case 0 -> {
          tier.remove(leaf(index, 0).extent());
          model.remove(index);
        }
        case 1, 2, 3 -> {
          Leaf leaf = leaf(index, random.nextInt(4));
          if (present == null || present.checksum() != leaf.checksum()) {
            tier.remove(leaf.extent()); // as when an image is written there
          }
          put(leaf);
          model.put(index, leaf);
        }
        default -> {
          Leaf wanted = leaf(index, random.nextInt(4));
          byte[] found = tier.get(wanted);
          if (found != null) {
            assertThat(present).isNotNull();
            assertThat(wanted.checksum()).isEqualTo(present.checksum());
            assertThat(found).isEqualTo(page(wanted));
          }
        }
      }
      OffHeapCounts counts = tier.counts();
      assertThat(counts.bytes()).isLessThanOrEqualTo(BUDGET_BYTES);
      assertThat(counts.images()).isLessThanOrEqualTo(model.size());
    }
    OffHeapCounts counts = tier.counts();
    assertThat(counts.bytes()).isEqualTo(BUDGET_BYTES);
    assertThat(counts.hits()).isGreaterThan(2000);
    assertThat(counts.evictions()).isGreaterThan(100);
  }

  /// What is used again between two rounds of the ring outlives what is not, however much passes.
  @Test
  void whatIsUsedStays() {
    int used = 100;
    for (int i = 0; i < used; i++) {
      put(leaf(i, 1));
    }
    for (int i = used; i < 20_000; i++) {
      put(leaf(i, 1));
      assertThat(tier.get(leaf(i % used, 1))).isNotNull();
    }
    assertThat(tier.get(leaf(used, 1))).as("what was never used").isNull();
  }

  @Test
  void damagedMemoryIsNeverAnAnswer() {
    int present = 300;
    for (int i = 0; i < present; i++) {
      put(leaf(i, 1));
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int flip = 0; flip < 3000; flip++) {
      MemorySegment piece = memory.pieces.get(random.nextInt(memory.pieces.size()));
      // Headers and first bytes too, which random offsets would seldom meet.
      long at = random.nextInt((int) piece.byteSize());
      byte changed = (byte) (piece.get(ValueLayout.JAVA_BYTE, at) ^ 1 << random.nextInt(8));
      piece.set(ValueLayout.JAVA_BYTE, at, changed);
    }
    int found = 0;
    for (int i = 0; i < present; i++) {
      byte[] page = tier.get(leaf(i, 1));
      if (page != null) {
        assertThat(page).isEqualTo(page(leaf(i, 1)));
        found++;
      }
    }
    assertThat(found).as("pages that no flip met").isBetween(1, present - 1);
    for (int i = 0; i < 20_000; i++) {
      tier.remove(leaf(i, 2).extent());
      put(leaf(i, 2)); // slabs whose headers are damaged are used again
      byte[] page = tier.get(leaf(i, 2));
      assertThat(page).isNotNull().isEqualTo(page(leaf(i, 2)));
    }
  }

  @Test
  void memoryThatIsRefusedLeavesTheTierSmall() {
    memory.piecesMax = 3;
    for (int i = 0; i < 10_000; i++) {
      put(leaf(i, 1));
    }
    assertThat(memory.pieces).hasSize(3);
    assertThat(tier.counts().bytes()).isEqualTo(3 * memory.pieces.getFirst().byteSize());
    assertThat(tier.get(leaf(9_999, 1))).isEqualTo(page(leaf(9_999, 1)));
  }

  @Test
  void withoutAnyMemoryNothingIsFound() {
    memory.piecesMax = 0;
    put(leaf(1, 1));
    put(leaf(2, 1));
    assertThat(tier.get(leaf(1, 1))).isNull();
    assertThat(tier.counts()).isEqualTo(new OffHeapCounts(0, 0, 0, 1, 0));
  }

  @Test
  void moreThanTheMachineHasIsRefused() {
    assertThat(NativeMemory.bytesMax()).isLessThan(1L << 50);
    assertThatThrownBy(() -> OffHeapTier.of(new StoreLocks(), 1L << 50))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cache.offHeapBytes=" + (1L << 50))
        .hasMessageContaining("memoryBytes=");
  }

  /// Readers and writers of the same extents, while the ring goes round, until it is closed: each
  /// page is whole, and no access to memory that was returned fails.
  @Test
  void closedWhileReadAndWritten() throws Exception {
    int threads = 4;
    AtomicLong found = new AtomicLong();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        Callable<Void> user =
            () -> {
              for (int step = 0; step < 40_000; step++) {
                use(random, found);
                if (step == 30_000 && found.get() > 0) {
                  tier.close();
                }
              }
              return null;
            };
        running.add(executor.submit(user));
      }
      for (Future<Void> user : running) {
        user.get();
      }
    }
    assertThat(found.get()).isPositive();
    assertThat(tier.counts().bytes()).isZero();
    assertThat(tier.get(leaf(1, 1))).isNull();
  }

  private void use(SplittableRandom random, AtomicLong found) {
    Leaf leaf = leaf(random.nextInt(EXTENTS), random.nextInt(2));
    switch (random.nextInt(4)) {
      case 0 -> put(leaf);
      case 1 -> tier.remove(leaf.extent());
      default -> {
        byte[] page = tier.get(leaf);
        if (page != null) {
          assertThat(page).isEqualTo(page(leaf));
          found.incrementAndGet();
        }
      }
    }
  }

  /// An inner page whose image does not fit the heap failed the commit that made it leave.
  @Test
  void anImageThatDoesNotFitTheHeapIsDropped() {
    byte[] separator = new byte[1 << 20];
    // Its separators fit the heap once, and not twice.
    int count =
        Math.toIntExact(Math.min(Runtime.getRuntime().maxMemory(), 3L << 30) * 9 / 16 >> 20);
    Node[] children = new Node[count + 1];
    byte[][] separators = new byte[count][];
    for (int i = 0; i <= count; i++) {
      children[i] = leaf(i, 1);
    }
    Arrays.fill(separators, separator);
    Inner inner = new Inner(Extent.of(64, 3000), 1, 1, 1);
    tier.put(inner, new Branches(children, separators));
    assertThat(tier.get(inner)).isNull();
    assertThat(tier.counts().images()).isZero();
  }
}
