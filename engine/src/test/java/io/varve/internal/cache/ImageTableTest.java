package io.varve.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The table of locations, compared with a map.
class ImageTableTest {
  private static final long PLACE_MAX = 0xffff_fffeL;

  private final ImageTable table = new ImageTable();
  private final Map<Integer, Long> model = new HashMap<>();

  /// Few low bits, so that searches pass what belongs elsewhere and wrap around; tag 0 and the
  /// largest location among them.
  @Test
  void randomChangesAreFoundAsInAMap() {
    SplittableRandom random = new SplittableRandom(1);
    int[] tags = new int[2000];
    for (int i = 1; i < tags.length; i++) {
      tags[i] = random.nextInt(64) << 20 | random.nextInt(-8, 8) & 0xfffff;
    }
    for (int step = 0; step < 200_000; step++) {
      int tag = tags[random.nextInt(tags.length)];
      if (random.nextInt(step / 50_000 % 2 == 0 ? 3 : 2) == 0) {
        table.remove(tag);
        model.remove(tag);
      } else {
        long place = random.nextInt(10) == 0 ? PLACE_MAX : random.nextLong(PLACE_MAX);
        table.put(tag, place);
        model.put(tag, place);
      }
      assertThat(table.size()).isEqualTo(model.size());
      int other = tags[random.nextInt(tags.length)];
      assertThat(table.find(other)).isEqualTo(model.getOrDefault(other, ImageTable.ABSENT));
    }
    for (int tag : tags) {
      assertThat(table.find(tag)).isEqualTo(model.getOrDefault(tag, ImageTable.ABSENT));
    }
  }
}
