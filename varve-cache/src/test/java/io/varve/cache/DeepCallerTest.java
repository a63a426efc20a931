package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A caller that meets the end of its stack in a call of a cache keeps no lock of it (STACK-1): the
/// calls of other threads return, and so does a close.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
// Endless recursion and answers that no caller takes are what is tested.
@SuppressWarnings({"InfiniteRecursion", "ReturnValueIgnored"})
class DeepCallerTest {
  private static final long STACK_BYTES = 256 << 10;
  private static final int ROUNDS = 5;

  /// Levels from the end of the stack up that call.
  private static final int LEVELS = 80;

  private static final long WAIT_SECONDS = 20;

  private static final List<Consumer<Cache<String, String>>> CALLS =
      List.of(
          cache -> cache.put("k", "v"),
          cache -> cache.get("k"),
          cache -> cache.remove("k"),
          cache -> cache.putIfAbsent("k", "v"),
          cache -> cache.putAll(Map.of("k", "v", "l", "v")),
          cache -> cache.getAll(Set.of("k", "l")),
          cache -> cache.invoke("k", (entry, _) -> entry.getValue()),
          cache -> cache.iterator().hasNext(),
          cache -> cache.loadAll(Set.of("k"), true, null),
          DeepCallerTest::listenAgain,
          Cache::clear);

  private static final CacheEntryListenerConfiguration<String, String> LISTENER =
      new MutableCacheEntryListenerConfiguration<>(
          () -> (CacheEntryCreatedListener<String, String>) _ -> {}, null, false, false);

  @TempDir Path directory;

  private final AtomicInteger overflows = new AtomicInteger();
  private int levels;

  @ParameterizedTest
  @EnumSource
  void othersContinueAndACloseEnds(StorageMode mode) throws Exception {
    TestClock clock = new TestClock();
    CacheManager manager = clock.manager(directory);
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class);
    Cache<String, String> cache = manager.createCache("c", options.mode(mode));
    for (int round = 0; round < ROUNDS; round++) {
      for (Consumer<Cache<String, String>> call : CALLS) {
        levels = 0;
        Thread deep = new Thread(null, () -> descend(cache, call), "deep", STACK_BYTES);
        deep.start();
        deep.join();
      }
    }
    assertThat(overflows).hasPositiveValue();
    CompletableFuture.runAsync(() -> cache.put("k", "other")).get(WAIT_SECONDS, TimeUnit.SECONDS);
    CompletableFuture.runAsync(() -> listenAgain(cache)).get(WAIT_SECONDS, TimeUnit.SECONDS);
    CompletableFuture.runAsync(cache::clear).get(WAIT_SECONDS, TimeUnit.SECONDS);
    CompletableFuture.runAsync(manager::close).get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  private static void listenAgain(Cache<String, String> cache) {
    cache.deregisterCacheEntryListener(LISTENER);
    cache.registerCacheEntryListener(LISTENER);
  }

  /// Calls from the deepest level up.
  private void descend(Cache<String, String> cache, Consumer<Cache<String, String>> call) {
    try {
      descend(cache, call);
    } catch (StackOverflowError _) {
      // the deepest level is the one that called
    }
    if (levels++ < LEVELS) {
      try {
        call.accept(cache);
      } catch (StackOverflowError e) {
        overflows.incrementAndGet();
      }
    }
  }
}
