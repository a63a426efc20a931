package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Store;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryListener;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How caches and managers open, close and are destroyed, also concurrently with threads that still
/// use them.
@Timeout(120)
class CacheClosingTest {
  private static final URL[] NO_URLS = {};

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final Stop writing = new Stop();
  private final Stop reading = new Stop();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheManager manager() {
    return provider.getCacheManager(directory.toUri(), null);
  }

  private CacheOptions<Integer, String> options(StorageMode mode) {
    return Stop.options(mode, writing, reading);
  }

  // One store, many managers.

  /// Guards against two caches over the same pages, each with a heap and sizes of its own.
  @Test
  void aDirectoryHasOneManagerHoweverItIsWritten() throws Exception {
    Path there = Files.createDirectory(directory.resolve("there"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), there);
    CacheManager manager = provider.getCacheManager(there.toUri(), null);
    String uri = there.toUri().toString();
    for (String same :
        new String[] {
          uri, uri.substring(0, uri.length() - 1), uri + "x/..", link.toUri().toString(),
        }) {
      assertThat(provider.getCacheManager(URI.create(same), null)).as(same).isSameAs(manager);
    }
    CacheManager notYet = provider.getCacheManager(directory.resolve("new").toUri(), null);
    notYet.createCache("c", options(StorageMode.PAGES));
    assertThat(provider.getCacheManager(directory.resolve("new").toUri(), null)).isSameAs(notYet);
    provider.close(
        URI.create(uri.substring(0, uri.length() - 1)), provider.getDefaultClassLoader());
    assertThat(manager.isClosed()).isTrue();
  }

  private CacheManager managerOfAnotherLoader() {
    return provider.getCacheManager(directory.toUri(), new URLClassLoader(NO_URLS));
  }

  /// Guards against two heaps and two sizes over the same pages.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void managersOfADirectoryShareItsCaches(StorageMode mode) {
    CacheManager one = managerOfAnotherLoader();
    CacheManager other = managerOfAnotherLoader();
    CacheOptions<Integer, String> options = options(mode);
    Cache<Integer, String> cache = one.createCache("c", options);
    cache.put(1, "one");
    Cache<Integer, String> shared = other.createCache("c", options);
    assertThat(shared.getCacheManager()).isSameAs(other);
    assertThat(shared.get(1)).isEqualTo("one");
    cache.put(1, "changed");
    cache.put(2, "two");
    assertThat(shared.get(1)).isEqualTo("changed");
    shared.remove(2);
    assertThat(cache.get(2)).isNull();
    assertThat(cache.unwrap(VarveCache.class).size()).isEqualTo(1);
    assertThat(shared.unwrap(VarveCache.class).size()).isEqualTo(1);

    one.close();
    assertThat(cache.isClosed()).isTrue();
    assertThat(shared.get(1)).isEqualTo("changed");
    shared.put(3, "three");
    other.close();
    Cache<Integer, String> again = managerOfAnotherLoader().createCache("c", options(mode));
    assertThat(again.get(1)).isEqualTo("changed");
    assertThat(again.get(3)).isEqualTo("three");
    assertThat(again.unwrap(VarveCache.class).size()).isEqualTo(2);
  }

  @Test
  void managersOfADirectoryShareCachesOfTheSameOptionsAlone() {
    CacheManager one = managerOfAnotherLoader();
    CacheManager other = managerOfAnotherLoader();
    CacheOptions<Integer, String> options = options(StorageMode.TIERED);
    Cache<Integer, String> cache = one.createCache("c", options);
    cache.put(1, "one");
    for (CacheOptions<Integer, String> different :
        List.of(
            new CacheOptions<>(options).mode(StorageMode.PAGES),
            new CacheOptions<>(options).segments(3),
            options(StorageMode.TIERED))) { // whose marshaller is another object
      assertThatThrownBy(() -> other.createCache("c", different))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("cache=c")
          .hasMessageContaining("another manager");
    }
    assertThatThrownBy(() -> other.destroyCache("c")).isInstanceOf(CacheException.class);
    other.createCache("c", options(StorageMode.HEAP)).close(); // has nothing in the store
    cache.close();
    assertThat(other.createCache("c", options(StorageMode.TIERED)).get(1)).isEqualTo("one");
  }

  @Test
  void aCacheThatOneManagerDestroysIsGoneForAll() {
    CacheManager one = managerOfAnotherLoader();
    CacheManager other = managerOfAnotherLoader();
    CacheOptions<Integer, String> options = options(StorageMode.OVERFLOW);
    one.createCache("c", options).put(1, "one");
    Cache<Integer, String> shared = other.createCache("c", options);
    one.destroyCache("c");
    assertThat(shared.isClosed()).isTrue();
    assertThatThrownBy(() -> shared.get(1)).isInstanceOf(IllegalStateException.class);
    assertThat(other.<Integer, String>getCache("c")).isNull();
    assertThat(other.createCache("c", options).get(1)).isNull();
  }

  @Test
  void aManagerThatIsClosingIsNotHandedOut() throws Exception {
    CacheManager closing = manager();
    closing.createCache("c", options(StorageMode.OVERFLOW)).put(1, "one");
    Cache<Integer, String> cache = closing.getCache("c");
    cache.put(1, "stored as an object, and so written at the close");
    writing.arm();
    Thread closer = Thread.ofPlatform().start(closing::close);
    writing.awaitReached();
    AtomicReference<CacheManager> given = new AtomicReference<>();
    Thread asker = Thread.ofPlatform().start(() -> given.set(manager()));
    Stop.awaitWaiting(asker);
    writing.release();
    closer.join();
    asker.join();
    assertThat(given.get()).isNotSameAs(closing);
    assertThat(given.get().isClosed()).isFalse();
    assertThat(given.get().createCache("c", options(StorageMode.OVERFLOW)).get(1))
        .startsWith("stored");
  }

  /// A manager that was made and forgotten keeps no class loader.
  @Test
  void aManagerWithoutCachesKeepsNoClassLoader() {
    ClassLoader loader = new URLClassLoader(NO_URLS);
    provider.getCacheManager(URI.create("mem:forgotten"), loader);
    WeakReference<ClassLoader> reference = new WeakReference<>(loader);
    loader = null;
    while (reference.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
  }

  // What cannot be closed, and what it must not keep open.

  /// Fails to close, with an error.
  private static final class Unclosable implements ExpiryPolicy, Closeable {
    @Override
    public Duration getExpiryForCreation() {
      return Duration.ETERNAL;
    }

    @Override
    public @Nullable Duration getExpiryForAccess() {
      return null;
    }

    @Override
    public @Nullable Duration getExpiryForUpdate() {
      return null;
    }

    @Override
    public void close() {
      throw new AssertionError("an error of the user's");
    }
  }

  @Test
  void aCacheThatFailsToCloseKeepsNothingElseOpen() {
    CacheManager manager = manager();
    CacheOptions<Integer, String> failing = options(StorageMode.PAGES);
    failing.setExpiryPolicyFactory(Unclosable::new);
    Cache<Integer, String> first = manager.createCache("a", options(StorageMode.TIERED));
    Cache<Integer, String> bad = manager.createCache("b", failing);
    Cache<Integer, String> last = manager.createCache("c", options(StorageMode.TIERED));
    assertThatThrownBy(manager::close).isInstanceOf(AssertionError.class);
    assertThat(first.isClosed()).isTrue();
    assertThat(bad.isClosed()).isTrue();
    assertThat(last.isClosed()).isTrue();
    assertThat(manager.isClosed()).isTrue();
    Store.open(directory).close();
    assertThat(manager()).isNotSameAs(manager);
  }

  /// An entry whose value cannot be written is lost alone.
  @Test
  void anEntryThatCannotBeStoredAtACloseIsLostAlone() {
    Marshaller<String> strings = Marshallers.ofType(String.class, getClass().getClassLoader());
    CacheOptions<Integer, String> options =
        options(StorageMode.OVERFLOW)
            .valueMarshaller(
                new Marshaller<>() {
                  @Override
                  public byte[] toBytes(String object) {
                    if (object.equals("bad")) {
                      throw new CacheException("cannot be written");
                    }
                    return strings.toBytes(object);
                  }

                  @Override
                  public String fromBytes(byte[] bytes) {
                    return strings.fromBytes(bytes);
                  }
                });
    Cache<Integer, String> cache = manager().createCache("c", options);
    for (int i = 0; i < 100; i++) {
      cache.put(i, i == 50 ? "bad" : "v" + i);
    }
    manager().close();
    cache = manager().createCache("c", options);
    for (int i = 0; i < 100; i++) {
      assertThat(cache.get(i)).isEqualTo(i == 50 ? null : "v" + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anyNameWillDoForACache(StorageMode mode) {
    for (String name : new String[] {"say \"hi\"", "a*", "a?", "back\\slash", "a,b:c=d\ne", "ab"}) {
      CacheOptions<Integer, String> options = options(mode);
      options.setStatisticsEnabled(true).setManagementEnabled(true);
      manager().createCache(name, options).put(1, name);
      assertThat(manager().<Integer, String>getCache(name).get(1)).isEqualTo(name);
    }
    manager().close();
  }

  private static int beanCount() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server.queryNames(new ObjectName("javax.cache:*,Cache=beans"), null).size();
  }

  @Test
  void aCacheHidesItsOwnBeansAlone() throws Exception {
    URI uri = URI.create("mem:beans");
    CacheManager one = provider.getCacheManager(uri, new URLClassLoader(NO_URLS));
    CacheManager other = provider.getCacheManager(uri, new URLClassLoader(NO_URLS));
    MutableConfiguration<Object, Object> shown = new MutableConfiguration<>();
    shown.setStatisticsEnabled(true);
    one.createCache("beans", shown);
    other.createCache("beans", new MutableConfiguration<>());
    assertThat(beanCount()).isEqualTo(1);
    other.enableStatistics("beans", true);
    assertThat(beanCount()).isEqualTo(2);
    other.close();
    assertThat(beanCount()).isEqualTo(1);
    one.close();
    assertThat(beanCount()).isZero();
  }

  // Closing concurrently with threads that use a cache.

  @Test
  void aReadDuringACloseLosesNoEntry() throws Exception {
    Cache<Integer, String> cache = manager().createCache("c", options(StorageMode.OVERFLOW));
    cache.put(1, "one");
    cache.close();
    Cache<Integer, String> again = manager().createCache("c", options(StorageMode.OVERFLOW));
    reading.arm();
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              try {
                again.get(1);
              } catch (IllegalStateException e) {
                // closed concurrently
              }
            });
    reading.awaitReached();
    again.close();
    reading.release();
    reader.join();
    cache = manager().createCache("c", options(StorageMode.OVERFLOW));
    assertThat(cache.get(1)).isEqualTo("one");
    assertThat(cache.unwrap(VarveCache.class).size()).isEqualTo(1);
  }

  @Test
  void aSecondCloserWaitsForTheFirst() throws Exception {
    CacheManager manager = manager();
    Cache<Integer, String> cache = manager.createCache("c", options(StorageMode.OVERFLOW));
    for (int i = 0; i < 100; i++) {
      cache.put(i, "v" + i);
    }
    writing.arm();
    Thread first = Thread.ofPlatform().start(cache::close);
    writing.awaitReached();
    Thread second = Thread.ofPlatform().start(manager::close);
    Stop.awaitWaiting(second);
    writing.release();
    first.join();
    second.join();
    assertThat(manager().createCache("c", options(StorageMode.OVERFLOW))).hasSize(100);
  }

  /// Guards against a processor that waits, at the close, for the thread that waits for the
  /// processor's key.
  @ParameterizedTest
  @EnumSource
  void aProcessorMayCloseItsManager(StorageMode mode) {
    CacheManager manager = manager();
    Cache<Integer, String> cache = manager.createCache("c", options(mode));
    cache.put(1, "one");
    String result =
        cache.invoke(
            1,
            (entry, _) -> {
              Thread other = Thread.ofPlatform().start(() -> tryPut(cache));
              Stop.awaitWaiting(other); // for the key
              manager.close();
              return entry.getValue();
            });
    assertThat(result).isEqualTo("one");
    assertThat(manager.isClosed()).isTrue();
  }

  private static void tryPut(Cache<Integer, String> cache) {
    try {
      cache.put(1, "other");
    } catch (IllegalStateException e) {
      // closed concurrently
    }
  }

  // Destroying.

  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void aCacheThatIsNotOpenCanBeDestroyed(StorageMode mode) {
    manager().createCache("c", options(mode)).put(1, "one");
    manager().<Integer, String>getCache("c").close();
    manager().destroyCache("c");
    assertThat(manager().createCache("c", options(mode)).get(1)).isNull();
    manager().<Integer, String>getCache("c").put(2, "two");
    manager().close();
    manager().destroyCache("c"); // by another manager, of another process maybe
    manager().destroyCache("never was");
    assertThat(manager().createCache("c", options(mode)).get(2)).isNull();
  }

  @Test
  void spacesOfOthersStay() {
    String[] others = {"cache-7-mine", "cache-users", "varve.cache-0-0", "varve.cache-x"};
    try (Store store = Store.open(directory)) {
      for (String name : others) {
        store.space(name).put(new byte[] {1}, new byte[] {2});
      }
    }
    manager().createCache("c", options(StorageMode.PAGES)).put(1, "one");
    manager().createCache("d", options(StorageMode.PAGES)).put(2, "two");
    manager().destroyCache("c");
    manager().close();
    try (Store store = Store.open(directory)) {
      for (String name : others) {
        assertThat(store.space(name).get(new byte[] {1})).as(name).isEqualTo(new byte[] {2});
      }
    }
    assertThat(manager().createCache("d", options(StorageMode.PAGES)).get(2)).isEqualTo("two");
  }

  // What is refused at the start.

  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW", "PAGES"})
  void whatIsInPagesIsNotStoredByReference(StorageMode mode) {
    CacheOptions<Integer, String> options = options(mode);
    options.setStoreByValue(false);
    assertThatThrownBy(() -> manager().createCache("c", options))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("cache=c");
    manager().createCache("c", options(mode));
  }

  /// A loader and a writer that know whether they are open.
  private static final class Source
      implements CacheLoader<Integer, String>, CacheWriter<Integer, String>, Closeable {
    private int closes;

    @Override
    public @Nullable String load(Integer key) {
      return null;
    }

    @Override
    public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
      return Map.of();
    }

    @Override
    public void write(Cache.Entry<? extends Integer, ? extends String> entry) {}

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Integer, ? extends String>> entries) {}

    @Override
    public void delete(Object key) {}

    @Override
    public void deleteAll(Collection<?> keys) {}

    @Override
    public void close() {
      closes++;
    }
  }

  @Test
  void aCacheThatCouldNotBeMadeLeavesNothingOpen() {
    Source loader = new Source();
    Source writer = new Source();
    CacheOptions<Integer, String> options = options(StorageMode.HEAP);
    options.setCacheLoaderFactory(() -> loader);
    options.setCacheWriterFactory(() -> writer);
    options.setWriteThrough(true);
    options.setExpiryPolicyFactory(() -> {
      throw new IllegalStateException("no policy");
    });
    assertThatThrownBy(() -> manager().createCache("c", options))
        .isInstanceOf(IllegalStateException.class);
    assertThat(loader.closes).isEqualTo(1);
    assertThat(writer.closes).isEqualTo(1);
  }

  @Test
  void whatIsBothLoaderAndWriterIsClosedOnce() {
    Source source = new Source();
    CacheOptions<Integer, String> options = options(StorageMode.HEAP);
    options.setCacheLoaderFactory(() -> source);
    options.setCacheWriterFactory(() -> source);
    options.setWriteThrough(true);
    manager().createCache("c", options).close();
    assertThat(source.closes).isEqualTo(1);
    options.setExpiryPolicyFactory(() -> {
      throw new IllegalStateException("no policy");
    });
    assertThatThrownBy(() -> manager().createCache("c", options))
        .isInstanceOf(IllegalStateException.class);
    assertThat(source.closes).isEqualTo(2);
  }

  /// A listener that knows whether it is open.
  private static final class Ear implements CacheEntryListener<Integer, String>, Closeable {
    private int closes;

    @Override
    public void close() {
      closes++;
    }
  }

  @Test
  void aListenerWhoseFilterCannotBeMadeIsClosed() {
    Ear ear = new Ear();
    CacheOptions<Integer, String> options = options(StorageMode.HEAP);
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<Integer, String>(
            () -> ear,
            () -> {
              throw new IllegalStateException("no filter");
            },
            false,
            true));
    assertThatThrownBy(() -> manager().createCache("c", options))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ear.closes).isEqualTo(1);
  }

  @Test
  void aCacheThatCouldNotBeMadeLeavesItsNameFree() {
    CacheOptions<Integer, String> options = options(StorageMode.PAGES);
    options.setExpiryPolicyFactory(() -> {
      throw new IllegalStateException("no policy");
    });
    assertThatThrownBy(() -> manager().createCache("c", options))
        .isInstanceOf(IllegalStateException.class);
    CacheOptions<Integer, String> listening = options(StorageMode.PAGES);
    listening.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            () -> {
              throw new IllegalStateException("no listener");
            },
            null,
            false,
            true));
    assertThatThrownBy(() -> manager().createCache("c", listening))
        .isInstanceOf(IllegalStateException.class);
    manager().createCache("c", options(StorageMode.PAGES));
  }
}
