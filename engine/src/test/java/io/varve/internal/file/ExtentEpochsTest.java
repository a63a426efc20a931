package io.varve.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.internal.page.Extent;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// The table of epochs against a map of the JDK.
class ExtentEpochsTest {
  @Property(tries = 100)
  void holdsWhatWasPutAndNotRemoved(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ExtentEpochs epochs = new ExtentEpochs();
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      long extent = Extent.of(random.nextInt(1, 300), 512);
      long epoch = random.nextInt(1, 50);
      switch (random.nextInt(100)) {
        case 0 -> {
          epochs.removeUpTo(epoch);
          model.values().removeIf(made -> made <= epoch);
        }
        case 1 -> {
          if (random.nextInt(5) == 0) {
            epochs.clear();
            model.clear();
          }
        }
        default -> {
          if (random.nextBoolean()) {
            epochs.put(extent, epoch);
            model.put(extent, epoch);
          } else {
            Long made = model.remove(extent);
            assertThat(epochs.get(extent)).isEqualTo(made == null ? ExtentEpochs.ABSENT : made);
            epochs.remove(extent);
            assertThat(epochs.get(extent)).isEqualTo(ExtentEpochs.ABSENT);
          }
        }
      }
      assertThat(epochs.size()).isEqualTo(model.size());
    }
    Map<Long, Long> found = new HashMap<>();
    epochs.forEach(found::put);
    assertThat(found).isEqualTo(model);
  }
}
