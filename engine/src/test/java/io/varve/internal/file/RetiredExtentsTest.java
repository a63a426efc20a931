package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Memory that is lacking while retired extents are released costs none of them. One that is in no
/// list is never free again, and one that was freed and is still in a list is freed twice.
class RetiredExtentsTest {
  private static final int EXTENTS = 200;
  private static final int EPOCHS = 12;

  @Property(tries = 200)
  void everyExtentIsFreedOnceWhereMemoryIsLackingAtTimes(@ForAll long seed) {
    var random = new SplittableRandom(seed);
    var retired = new RetiredExtents();
    for (long extent = 0; extent < EXTENTS; extent++) {
      long made = random.nextInt(EPOCHS);
      retired.add(extent, made, random.nextLong(made, EPOCHS) + 1);
    }
    List<Long> freed = new ArrayList<>();
    LiveEpochs live =
        LiveEpochs.of(
            LongStream.range(0, EPOCHS).filter(_ -> random.nextBoolean()).boxed().toList());
    release(retired, live, freed, random);
    release(retired, LiveEpochs.NONE, freed, random);
    assertThat(freed)
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, EXTENTS).boxed().toList());
    retired.forEach(
        Long.MIN_VALUE, Long.MAX_VALUE, (_, _, extents) -> assertThat(extents.size()).isZero());
  }

  /// Releases what it can in three tries, the first two of which find no memory.
  private static void release(
      RetiredExtents retired, LiveEpochs live, List<Long> freed, SplittableRandom random) {
    for (int tries = 0; tries < 2; tries++) {
      var consumer = new FailingConsumer(freed, random.nextInt(EXTENTS));
      try {
        retired.release(EPOCHS, live, consumer);
      } catch (OutOfMemoryError _) {
        // the next try continues
      }
    }
    retired.release(EPOCHS, live, freed::add);
  }

  private static final class FailingConsumer implements LongConsumer {
    private final List<Long> freed;
    private int left;

    FailingConsumer(List<Long> freed, int left) {
      this.freed = freed;
      this.left = left;
    }

    @Override
    public void accept(long extent) {
      if (left-- == 0) {
        throw new OutOfMemoryError("simulated");
      }
      freed.add(extent);
    }
  }
}
