package io.varve.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Code of users that waits for another thread, which uses the same cache or manager: none of it
/// runs under a lock that such a use needs. A change of one key keeps other changes of that key
/// waiting, as it must, so the other thread uses other keys.
@Timeout(600)
class CallbacksOfOtherThreadsTest {
  private static final int WAIT_SECONDS = 10;

  /// What the program gives to a cache, and where the cache calls it.
  private enum Callback {
    LOADER_FACTORY,
    WRITER_FACTORY,
    EXPIRY_FACTORY,
    LISTENER_FACTORY,
    FILTER_FACTORY,
    LOAD,
    LOAD_ALL,
    WRITE,
    WRITE_ALL,
    DELETE,
    EXPIRY_FOR_CREATION,
    EXPIRY_FOR_UPDATE,
    EXPIRY_FOR_ACCESS,
    LISTENER,
    FILTER,
    PROCESSOR,
    TO_BYTES,
    FROM_BYTES
  }

  private final TestClock clock = new TestClock();
  private final CacheManager manager = clock.manager(null);

  /// The callback that waits for another thread the next time it is called.
  private final AtomicReference<@Nullable Callback> waiting = new AtomicReference<>();

  private final Queue<String> stuck = new ConcurrentLinkedQueue<>();
  private final Map<String, Runnable> uses = new LinkedHashMap<>();

  private void called(Callback callback) {
    if (waiting.compareAndSet(callback, null)) {
      uses.forEach((name, use) -> requireEnd(callback + ", " + name, use));
    }
  }

  private void requireEnd(String what, Runnable use) {
    CountDownLatch ended = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                use.run();
              } catch (IllegalStateException _) {
                // the cache is not made yet
              } finally {
                ended.countDown();
              }
            });
    try {
      if (!ended.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        stuck.add(what + ": " + List.of(other.getStackTrace()));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noneKeepsAnotherThreadWaiting(StorageMode mode) {
    Set<Callback> callbacks = EnumSet.allOf(Callback.class);
    if (!mode.hasPages()) { // texts are kept as they are
      callbacks.removeAll(EnumSet.of(Callback.TO_BYTES, Callback.FROM_BYTES));
    }
    for (Callback callback : callbacks) {
      String name = callback.name();
      useFromOtherThreads(name);
      waiting.set(callback);
      CacheOptions<String, String> options = options(mode);
      Cache<String, String> cache = manager.createCache(name, options);
      drive(cache);
      assertThat(waiting).as("called: " + callback).hasNullValue();
      manager.destroyCache(name);
    }
    manager.close();
    assertThat(stuck).isEmpty();
  }

  /// Each waited for the cache that the other one made.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void factoriesThatMakeEachOthersCachesEnd(boolean ofOtherManager) throws InterruptedException {
    CacheManager second = ofOtherManager ? clock.manager(null) : manager;
    CyclicBarrier both = new CyclicBarrier(2);
    List<Throwable> refusals = new CopyOnWriteArrayList<>();
    List<Thread> makers =
        List.of(
            maker(() -> makeWithin(manager, "one", second, "other", both), refusals),
            maker(() -> makeWithin(second, "other", manager, "one", both), refusals));
    for (Thread maker : makers) {
      assertThat(maker.join(java.time.Duration.ofSeconds(WAIT_SECONDS))).as("ended").isTrue();
    }
    assertThat(refusals).hasSize(1).allMatch(CacheException.class::isInstance);
    assertThat(manager.getCacheNames()).contains("one");
    assertThat(second.getCacheNames()).contains("other");
    second.close();
    manager.close();
  }

  private static Thread maker(Runnable making, List<Throwable> refusals) {
    return Thread.ofPlatform()
        .daemon()
        .uncaughtExceptionHandler((_, e) -> refusals.add(e))
        .start(making);
  }

  private static void makeWithin(
      CacheManager manager, String name, CacheManager other, String within, CyclicBarrier both) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setExpiryPolicyFactory(() -> {
      try {
        both.await();
      } catch (InterruptedException | BrokenBarrierException e) {
        throw new AssertionError(e);
      }
      other.createCache(within, new CacheOptions<String, String>());
      return new EternalExpiryPolicy();
    });
    manager.createCache(name, options);
  }

  @Test
  void aFactoryThatMakesItsOwnCacheIsRefused() {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setExpiryPolicyFactory(() -> {
      manager.createCache("own", new CacheOptions<String, String>());
      return new EternalExpiryPolicy();
    });
    assertThatThrownBy(() -> manager.createCache("own", options))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("the cache is being made");
    manager.close();
  }

  /// What another thread does with the cache of a name.
  private void useFromOtherThreads(String name) {
    uses.clear();
    use(name, "get", cache -> cache.get("other"));
    use(name, "put", cache -> cache.put("other2", "v"));
    use(name, "getAll", cache -> cache.getAll(Set.of("other", "other3")));
    use(name, "putAll", cache -> cache.putAll(Map.of("other4", "v", "other5", "w")));
    use(name, "iterator", cache -> cache.forEach(_ -> {}));
    use(name, "invoke", cache -> cache.invoke("other6", (entry, _) -> entry.exists()));
    use(name, "remove", cache -> cache.remove("other2"));
    use(name, "listen", this::listenOnce);
    use(name, "clear", Cache::clear);
    use(name, "beans", _ -> manager.enableStatistics(name, true));
    uses.put("names", () -> manager.getCacheNames().forEach(_ -> {}));
    uses.put(
        "another cache",
        () -> {
          manager.createCache("another", new CacheOptions<String, String>()).put("k", "v");
          manager.destroyCache("another");
        });
  }

  private void use(String name, String what, Consumer<Cache<String, String>> use) {
    uses.put(
        what,
        () -> {
          Cache<String, String> cache = manager.getCache(name);
          if (cache != null) {
            use.accept(cache);
          }
        });
  }

  private void listenOnce(Cache<String, String> cache) {
    CacheEntryCreatedListener<String, String> listener = _ -> {};
    var registered = new CacheListenerOptions<String, String>(() -> listener, null, false, false);
    cache.registerCacheEntryListener(registered);
    cache.deregisterCacheEntryListener(registered);
  }

  private void drive(Cache<String, String> cache) {
    cache.get("1");
    cache.get("1");
    cache.put("1", "a");
    cache.put("2", "b");
    cache.getAll(Set.of("1", "2", "3"));
    cache.putAll(Map.of("2", "c", "4", "d"));
    cache.invoke(
        "1",
        (entry, _) -> {
          called(Callback.PROCESSOR);
          entry.setValue("e");
          return null;
        });
    cache.forEach(entry -> assertThat(entry.getValue()).isNotEmpty());
    cache.invoke("5", (entry, _) -> entry.exists());
    CompletionListenerFuture loaded = new CompletionListenerFuture();
    cache.loadAll(Set.of("6", "7"), true, loaded);
    try {
      loaded.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    cache.remove("1");
    cache.removeAll(Set.of("2", "4"));
  }

  private CacheOptions<String, String> options(StorageMode mode) {
    CacheOptions<String, String> options = new CacheOptions<>();
    options.setTypes(String.class, String.class).setReadThrough(true).setWriteThrough(true);
    options.setCacheLoaderFactory(() -> {
      called(Callback.LOADER_FACTORY);
      return new Loader();
    });
    options.setCacheWriterFactory(() -> {
      called(Callback.WRITER_FACTORY);
      return new Writer();
    });
    options.setExpiryPolicyFactory(() -> {
      called(Callback.EXPIRY_FACTORY);
      return new Policy();
    });
    options.addCacheEntryListenerConfiguration(
        new CacheListenerOptions<String, String>(
            () -> {
              called(Callback.LISTENER_FACTORY);
              return new Listener();
            },
            () -> {
              called(Callback.FILTER_FACTORY);
              return _ -> {
                called(Callback.FILTER);
                return true;
              };
            },
            true,
            true));
    options.mode(mode).segments(8).valueMarshaller(new Texts());
    return mode.hasPages() ? options.heapEntriesMax(2) : options;
  }

  private final class Loader implements CacheLoader<String, String> {
    @Override
    public String load(String key) {
      called(Callback.LOAD);
      return "loaded";
    }

    @Override
    public Map<String, String> loadAll(Iterable<? extends String> keys) {
      called(Callback.LOAD_ALL);
      Map<String, String> all = new HashMap<>();
      keys.forEach(key -> all.put(key, "loaded"));
      return all;
    }
  }

  private final class Writer implements CacheWriter<String, String> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends String> entry) {
      called(Callback.WRITE);
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
      called(Callback.WRITE_ALL);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      called(Callback.DELETE);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.clear();
    }
  }

  private final class Policy implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      called(Callback.EXPIRY_FOR_CREATION);
      return Duration.ONE_HOUR;
    }

    /// Another end would be a change of each key that an iteration passes.
    @Override
    public @Nullable Duration getExpiryForAccess() {
      called(Callback.EXPIRY_FOR_ACCESS);
      return null;
    }

    @Override
    public Duration getExpiryForUpdate() {
      called(Callback.EXPIRY_FOR_UPDATE);
      return Duration.ONE_HOUR;
    }
  }

  private final class Listener
      implements CacheEntryCreatedListener<String, String>,
          CacheEntryUpdatedListener<String, String>,
          CacheEntryRemovedListener<String, String> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      called(Callback.LISTENER);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      called(Callback.LISTENER);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> events) {
      called(Callback.LISTENER);
    }
  }

  private final class Texts implements Marshaller<String> {
    @Override
    public byte[] toBytes(String object) {
      called(Callback.TO_BYTES);
      return object.getBytes(UTF_8);
    }

    @Override
    public String fromBytes(byte[] bytes) {
      called(Callback.FROM_BYTES);
      return new String(bytes, UTF_8);
    }
  }
}
