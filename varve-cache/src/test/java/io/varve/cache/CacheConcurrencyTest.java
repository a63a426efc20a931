package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.Durability;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CompletionListenerFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Calls that overlap in the order that the test sets, in every storage mode.
@Timeout(120)
class CacheConcurrencyTest {
  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final Stop writing = new Stop();
  private final Stop reading = new Stop();
  private final Stop source = new Stop();
  private final Map<Integer, String> record = new ConcurrentHashMap<>();

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private CacheOptions<Integer, String> options(StorageMode mode) {
    return Stop.options(mode, writing, reading);
  }

  private VarveCache<Integer, String> create(CacheOptions<Integer, String> options) {
    return varve(provider.getCacheManager().createCache("c", options));
  }

  @SuppressWarnings("unchecked") // made with these types
  private static VarveCache<Integer, String> varve(Cache<Integer, String> cache) {
    return cache.unwrap(VarveCache.class);
  }

  /// Keeps what it writes in `record`; stops at `source` when it has written several.
  private final class Recorder
      implements CacheWriter<Integer, String>, CacheLoader<Integer, String> {
    @Override
    public void write(Cache.Entry<? extends Integer, ? extends String> entry) {
      record.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends Integer, ? extends String>> entries) {
      entries.forEach(this::write);
      entries.clear();
      source.pass();
    }

    @Override
    public void delete(Object key) {
      record.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
      keys.clear();
      source.pass();
    }

    @Override
    public @Nullable String load(Integer key) {
      return record.get(key);
    }

    @Override
    public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
      Map<Integer, String> loaded = new ConcurrentHashMap<>();
      keys.forEach(key -> loaded.put(key, record.get(key)));
      source.pass();
      return loaded;
    }
  }

  private VarveCache<Integer, String> createOverRecord(StorageMode mode) {
    CacheOptions<Integer, String> options = options(mode);
    options.setWriteThrough(true).setCacheWriterFactory(new SingletonFactory<>(new Recorder()));
    options.setReadThrough(true).setCacheLoaderFactory(new SingletonFactory<>(new Recorder()));
    return create(options);
  }

  // Clearing.

  /// A read that found an entry before a clear does not bring it back after it.
  @ParameterizedTest
  @EnumSource(names = {"TIERED", "OVERFLOW"})
  void aClearIsNotUndoneByAReader(StorageMode mode) throws Exception {
    create(options(mode)).put(1, "one");
    provider.getCacheManager().getCache("c").close();
    VarveCache<Integer, String> cache = create(options(mode)); // the entry is in pages alone
    reading.arm();
    Thread reader = Thread.ofPlatform().start(() -> cache.get(1));
    reading.awaitReached();
    cache.clear();
    reading.release();
    reader.join();
    assertThat(cache.get(1)).isNull();
    assertThat(cache.size()).isZero();
    cache.put(1, "two");
    cache.remove(1);
    assertThat(cache.size()).isZero();
  }

  /// A change that began before a clear happens before it, as a whole.
  @ParameterizedTest
  @EnumSource
  void aClearOvertakesAChange(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = create(options(mode));
    cache.put(1, "old");
    Thread changer =
        Thread.ofPlatform()
            .start(() ->
                cache.invoke(
                    1,
                    (entry, _) -> {
                      source.arm();
                      source.pass();
                      entry.setValue(entry.getValue() + " and new");
                      return null;
                    }));
    source.awaitReached();
    cache.clear();
    source.release();
    changer.join();
    assertThat(cache.get(1)).isNull();
    assertThat(cache.size()).isZero();
  }

  /// Guards against a loader that reads another key while a clear waits for the loader.
  @ParameterizedTest
  @EnumSource
  void aLoaderMayReadAnotherKeyDuringAClear(StorageMode mode) throws Exception {
    AtomicReference<VarveCache<Integer, String>> self = new AtomicReference<>();
    CacheOptions<Integer, String> options = options(mode);
    options.setReadThrough(true);
    options.setCacheLoaderFactory(() ->
        new CacheLoader<>() {
          @Override
          public String load(Integer key) {
            source.pass();
            return key == 0 ? "zero" : self.get().get(0) + " and " + key;
          }

          @Override
          public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
            return Map.of();
          }
        });
    VarveCache<Integer, String> cache = create(options);
    self.set(cache);
    source.arm();
    AtomicReference<String> found = new AtomicReference<>();
    Thread reader = Thread.ofPlatform().start(() -> found.set(cache.get(1)));
    source.awaitReached();
    cache.clear(); // waits for no loader
    cache.with(Flag.ZERO_LOCK_WAIT).clear();
    source.release();
    reader.join();
    assertThat(found).hasValue("zero and 1");
  }

  // The source of a cache, and the cache.

  /// Starts a call that stops in the source, and puts the key concurrently. Gives what the cache
  /// and its source hold for it in the end, which is to be the same.
  private String afterConcurrentPut(VarveCache<Integer, String> cache, Runnable call)
      throws InterruptedException {
    source.arm();
    Thread caller = Thread.ofPlatform().start(call);
    source.awaitReached();
    Thread putter = Thread.ofPlatform().start(() -> cache.put(1, "put"));
    Stop.awaitWaiting(putter);
    source.release();
    caller.join();
    putter.join();
    assertThat(cache.with(Flag.SKIP_STORE).get(1)).isEqualTo(record.get(1));
    return record.get(1);
  }

  @ParameterizedTest
  @EnumSource
  void putAllAndPutLeaveTheSameInBothPlaces(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = createOverRecord(mode);
    assertThat(afterConcurrentPut(cache, () -> cache.putAll(Map.of(1, "all", 2, "all"))))
        .isEqualTo("put");
  }

  @ParameterizedTest
  @EnumSource
  void removeAllAndPutLeaveTheSameInBothPlaces(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = createOverRecord(mode);
    cache.put(1, "old");
    assertThat(afterConcurrentPut(cache, () -> cache.removeAll(Set.of(1, 2)))).isEqualTo("put");
  }

  @ParameterizedTest
  @EnumSource
  void loadAllDoesNotReplaceWhatIsPutConcurrently(StorageMode mode) throws Exception {
    VarveCache<Integer, String> cache = createOverRecord(mode);
    record.put(1, "loaded");
    for (boolean replaces : new boolean[] {true, false}) {
      CompletionListenerFuture done = new CompletionListenerFuture();
      source.arm();
      cache.loadAll(Set.of(1), replaces, done);
      source.awaitReached();
      Thread putter = Thread.ofPlatform().start(() -> cache.put(1, "put"));
      Stop.awaitWaiting(putter);
      source.release();
      done.get();
      putter.join();
      assertThat(cache.get(1)).isEqualTo("put");
      assertThat(record).containsEntry(1, "put");
    }
  }

  @Test
  void whoWaitsForALoadHearsOfAnError() {
    CacheOptions<Integer, String> options = options(StorageMode.HEAP);
    options.setCacheLoaderFactory(() ->
        new CacheLoader<>() {
          @Override
          public String load(Integer key) {
            throw new NoClassDefFoundError("load");
          }

          @Override
          public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
            throw new NoClassDefFoundError("loadAll");
          }
        });
    CompletionListenerFuture done = new CompletionListenerFuture();
    create(options).loadAll(Set.of(1), true, done);
    assertThatThrownBy(done::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseInstanceOf(NoClassDefFoundError.class);
  }

  // Reads.

  /// Entries live forever until they are used, and then for a short time.
  private final class ShortOnceUsed implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      return Duration.ETERNAL;
    }

    @Override
    public Duration getExpiryForAccess() {
      source.pass();
      return new Duration(TimeUnit.MILLISECONDS, 1);
    }

    @Override
    public Duration getExpiryForUpdate() {
      return Duration.ETERNAL;
    }
  }

  /// A read gives another end to the entry that it read, not to one that was put since.
  @ParameterizedTest
  @EnumSource
  void aReadDoesNotShortenTheLifeOfANewerEntry(StorageMode mode) throws Exception {
    CacheOptions<Integer, String> options = options(mode);
    options.setExpiryPolicyFactory(ShortOnceUsed::new);
    TestClock clock = new TestClock();
    try (CacheManager manager = clock.manager(null)) {
      Cache<Integer, String> cache = manager.createCache("c", options);
      cache.put(1, "old");
      source.arm();
      Thread reader = Thread.ofPlatform().start(() -> cache.get(1));
      source.awaitReached();
      cache.put(1, "new");
      source.release();
      reader.join();
      clock.move(java.time.Duration.ofSeconds(1));
      assertThat(cache.get(1)).isEqualTo("new");
    }
  }

  /// Guards against marshallers that are called inside of steps that must not be entered again.
  @ParameterizedTest
  @EnumSource
  void aMarshallerMayReadTheCache(StorageMode mode) {
    AtomicReference<Cache<Integer, Integer>> self = new AtomicReference<>();
    Marshaller<Integer> marshaller =
        new Marshaller<>() {
          @Override
          public byte[] toBytes(Integer object) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(object).array();
          }

          @Override
          public Integer fromBytes(byte[] bytes) {
            int number = ByteBuffer.wrap(bytes).getInt();
            if (self.get() != null && number < 100) {
              assertThat(self.get().get(number + 1)).isEqualTo(number + 1);
            }
            return number;
          }
        };
    CacheOptions<Integer, Integer> options =
        new CacheOptions<Integer, Integer>().mode(mode).durability(Durability.BACKGROUND);
    options.valueMarshaller(marshaller);
    Cache<Integer, Integer> cache = provider.getCacheManager().createCache("c", options);
    for (int i = 0; i <= 100; i++) {
      cache.put(i, i);
    }
    if (mode.hasPages()) {
      cache.close();
      cache = provider.getCacheManager().createCache("c", options);
    }
    self.set(cache);
    assertThat(cache.get(0)).isZero();
  }

  // Keys.

  /// Guards against locks that different keys share.
  @Test
  void keysOfOneHashAreChangedAtTheSameTime() throws Exception {
    Cache<String, String> cache =
        provider
            .getCacheManager()
            .createCache("c", new CacheOptions<String, String>().mode(StorageMode.HEAP));
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    source.arm();
    Thread changer =
        Thread.ofPlatform()
            .start(() ->
                cache.invoke(
                    "Aa",
                    (entry, _) -> {
                      source.pass();
                      entry.setValue("1");
                      return null;
                    }));
    source.awaitReached();
    cache.put("BB", "2");
    source.release();
    changer.join();
    cache.putAll(Map.of("Aa", "3", "BB", "4"));
    assertThat(cache.getAll(Set.of("Aa", "BB"))).isEqualTo(Map.of("Aa", "3", "BB", "4"));
  }

  /// A processor may change its own key by the cache; what it sets in the end is what is there.
  @ParameterizedTest
  @EnumSource
  void aProcessorMayChangeItsOwnKey(StorageMode mode) {
    VarveCache<Integer, String> cache = create(options(mode));
    cache.invoke(
        1,
        (entry, _) -> {
          cache.put(1, "inner");
          entry.setValue("outer");
          return null;
        });
    assertThat(cache.get(1)).isEqualTo("outer");
    assertThat(cache.size()).isEqualTo(1);
    cache.invoke(
        1,
        (entry, _) -> {
          cache.remove(1);
          entry.remove();
          return null;
        });
    assertThat(cache.size()).isZero();
    assertThat(cache).isEmpty();
  }
}
