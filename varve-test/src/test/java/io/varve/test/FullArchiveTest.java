package io.varve.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import io.varve.Space;
import io.varve.Store;
import io.varve.StoreFullException;
import io.varve.StoreOptions;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A store whose quota is full of archived log.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullArchiveTest {
  private static final long CHECKPOINTS_MAX = 1500; // of two compactions at most

  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().cacheBytes(32 << 20).archiveLog(true).diskBytesMax(48 << 20);

  /// A refused put had values moved for ten seconds, each of which was tried again and again for
  /// log that could not come: 7,600 checkpoints.
  @Test
  void aPutIsRefusedAfterFewCheckpoints() {
    try (Store store = SimulatedStore.open(new SimulatedDisk(1), OPTIONS)) {
      Space space = store.space("s").with(Durability.BACKGROUND);
      SplittableRandom random = new SplittableRandom(1);
      byte[] value = new byte[4000];
      int refused = 0;
      for (int i = 0; refused < 3; i++) {
        random.nextBytes(value);
        long before = store.statistics().checkpoints().count();
        try {
          space.put(Bytes.of(i % 2000), value);
        } catch (StoreFullException _) {
          refused++;
        }
        assertThat(store.statistics().checkpoints().count() - before)
            .as("checkpoints of a put: number=%d, refused=%d", i, refused)
            .isLessThan(CHECKPOINTS_MAX);
      }
      store.verify().requireSound();
    }
  }
}
