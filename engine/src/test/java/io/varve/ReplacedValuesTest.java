package io.varve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large values that are replaced again and again, past the log.
class ReplacedValuesTest {
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = new byte[1 << 20];

  /// As many as are retired before a checkpoint is asked for.
  private static final int PUTS = 128;

  /// The checkpoint thread may be late.
  private static final int PUTS_MAX = 20 * PUTS;

  @TempDir Path directory;

  /// CR-5. No length of the log asked for a checkpoint: the file had each of the values. What a
  /// snapshot holds asks again when as much was replaced again, and no sooner.
  @Test
  void valuesThatWereReplacedBecomeFreeWithoutAnInterval() {
    StoreOptions options =
        StoreOptions.defaults()
            .durability(Durability.BACKGROUND)
            .checkpointInterval(ChronoUnit.FOREVER.getDuration());
    try (Store store = Store.open(directory, options)) {
      Space space = store.space("values");
      long before = count(store);
      int puts = 0;
      try (Snapshot _ = store.snapshot()) {
        for (; count(store) == before && puts < PUTS_MAX; puts++) {
          space.put(KEY, new ByteArrayInputStream(VALUE), VALUE.length);
        }
      }
      assertThat(count(store) - before).isBetween(1L, (long) puts / PUTS);
    }
  }

  private static long count(Store store) {
    return store.statistics().checkpoints().count();
  }
}
