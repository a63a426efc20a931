package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The files of a store that runs are copied one after the other, and belong together all the same.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledStoreTest {
  private static final StoreOptions OPTIONS =
      Stores.tiny()
          .log(log -> log.bytesMax(64 << 20))
          .checkpointInterval(Duration.ofHours(1))
          .durability(Durability.POWER_LOSS);

  /// More than a segment of the log.
  private static final int COMMITS = 40;

  private static final int VALUE_BYTES = 8_000;

  @TempDir Path directory;
  private int written;

  private void put(Space space) {
    for (int i = 0; i < COMMITS; i++) {
      space.put(Bytes.of(written++), new byte[VALUE_BYTES]);
    }
  }

  /// Guards against a page file that names log which was made ready after the log was copied, or
  /// only listed. Such a copy was refused, as a store whose log was cut.
  @Test
  void whatTheStoreWritesAroundTheCopyOfAFileIsNeverMissing() throws IOException {
    Path running = directory.resolve("running");
    Path killed = directory.resolve("killed");
    try (Store store = Store.open(running, OPTIONS)) {
      Space space = store.space("s");
      put(space);
      store.checkpoint();
      put(space);
      KilledStore.copy(running, killed, _ -> put(space));
    }
    try (Store store = Store.open(killed, OPTIONS)) {
      for (int number = 0; number < 2 * COMMITS; number++) {
        assertThat(store.space("s").get(Bytes.of(number))).hasSize(VALUE_BYTES);
      }
      store.verify().requireSound();
    }
  }
}
