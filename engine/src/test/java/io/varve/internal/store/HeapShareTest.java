package io.varve.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Store;
import io.varve.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cache that takes most of the heap is warned of, with figures that are right.
class HeapShareTest {
  private static final long MEBIBYTE = 1 << 20;

  private static StoreOptions cache(long bytes) {
    return StoreOptions.defaults().cacheBytes(bytes);
  }

  @Test
  void aCacheOfMostOfTheHeapIsWarnedOf() {
    String warning = HeapShare.warning(cache(512 * MEBIBYTE), "/data", 640 * MEBIBYTE);
    assertThat(warning)
        .contains("directory=/data")
        .contains("cacheBytes=" + 512 * MEBIBYTE)
        .contains("heapBytesMax=" + 640 * MEBIBYTE)
        .contains("-Xmx854m")
        .contains("set cacheBytes to " + 640 * MEBIBYTE / 100 * 60);
  }

  @Test
  void whatTheWarningAdvisesIsNotWarnedOf() {
    assertThat(HeapShare.warning(cache(512 * MEBIBYTE), "/data", 854 * MEBIBYTE)).isNull();
    long advised = 640 * MEBIBYTE / 100 * 60;
    assertThat(HeapShare.warning(cache(advised), "/data", 640 * MEBIBYTE)).isNull();
    assertThat(HeapShare.warning(cache(advised + 1), "/data", 640 * MEBIBYTE)).isNotNull();
  }

  @Test
  void theLargestCacheIsWarnedOfByAHeapThatIsPositive() {
    assertThat(HeapShare.warning(cache(Long.MAX_VALUE), "/data", 640 * MEBIBYTE))
        .contains("-Xmx14660155037014m,");
  }

  @Test
  void theDefaultIsNotWarnedOf() {
    long heap = Runtime.getRuntime().maxMemory();
    assertThat(HeapShare.warning(StoreOptions.defaults(), "/data", heap)).isNull();
  }

  @Test
  void aStoreThatHasWhatItsSizeDeservesIsNotWarnedOf() {
    StoreOptions shared = cache(512 * MEBIBYTE).cache(cache -> cache.share(0.5));
    assertThat(HeapShare.warning(shared, "/data", 640 * MEBIBYTE)).isNull();
  }

  @Test
  void anOpenWarnsOnce(@TempDir Path directory) {
    List<LogRecord> records = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            records.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(HeapShare.class.getName());
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try (Store store = Store.open(directory, cache(Runtime.getRuntime().maxMemory()))) {
      store.space("s").put(new byte[] {1}, new byte[] {2});
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    assertThat(records).hasSize(1);
    assertThat(records.getFirst().getMessage()).contains("directory=" + directory);
  }
}
