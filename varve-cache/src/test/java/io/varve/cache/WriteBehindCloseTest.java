package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.integration.CacheWriter;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Closes of a cache by a thread that changes it, while changes wait for the writer.
@Timeout(20) // the longest wait of a close is 30 seconds
class WriteBehindCloseTest {
  @TempDir Path directory;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final Map<String, String> rows = new ConcurrentHashMap<>();
  private volatile Consumer<Object> onWrite = _ -> {};

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private final CacheWriter<String, String> writer =
      new MapWriter<>(rows) {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {
          onWrite.accept(entry.getKey());
          super.write(entry);
        }
      };

  private Cache<String, String> open(WriteBehind options) {
    CacheOptions<String, String> all = new CacheOptions<>();
    all.setWriteThrough(true);
    all.setCacheWriterFactory(() -> writer);
    all.writeBehind(options);
    return provider.getCacheManager(directory.toUri(), null).createCache("books", all);
  }

  private void closeInAProcessor(Cache<String, String> cache) {
    Throwable unused =
        Assertions.catchThrowable(() ->
            cache.invoke(
                "a",
                (_, _) -> {
                  cache.close();
                  return null;
                }));
    assertThat(cache.isClosed()).isTrue();
  }

  /// Guards against 30 seconds in which the writer and the close wait for each other.
  @Test
  void aCloseDoesNotWaitForAWriterThatWaitsForItsKey() {
    Cache<String, String> cache = open(WriteBehind.defaults().delay(Duration.ofDays(1)));
    cache.put("a", "one");
    onWrite = key -> cache.remove((String) key);
    closeInAProcessor(cache);
    assertThat(rows).isEmpty();

    onWrite = _ -> {};
    open(WriteBehind.defaults().delay(Duration.ZERO)).close();
    assertThat(rows).as("what waited in the store").isEqualTo(Map.of("a", "one"));
  }

  @Test
  void aCloseWaitsForAWriterThatUsesOtherKeys() {
    Cache<String, String> cache = open(WriteBehind.defaults().delay(Duration.ofDays(1)));
    cache.put("b", "two");
    onWrite = key -> cache.get((String) key);
    closeInAProcessor(cache);
    assertThat(rows).isEqualTo(Map.of("b", "two"));
  }
}
