package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What calls with flags do otherwise, in every storage mode.
@Timeout(60)
class CacheFlagsTest {
  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final AtomicInteger decoded = new AtomicInteger();
  private final List<String> written = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void closeAll() {
    provider.close();
  }

  /// Counts the values that are made of bytes.
  private final Marshaller<String> counting =
      new Marshaller<>() {
        private final Marshaller<String> strings =
            Marshallers.ofType(String.class, getClass().getClassLoader());

        @Override
        public byte[] toBytes(String object) {
          return strings.toBytes(object);
        }

        @Override
        public String fromBytes(byte[] bytes) {
          decoded.incrementAndGet();
          return strings.fromBytes(bytes);
        }
      };

  /// Fails for the key `bad`.
  private final CacheWriter<String, String> writer =
      new CacheWriter<>() {
        @Override
        public void write(Cache.Entry<? extends String, ? extends String> entry) {
          if (entry.getKey().equals("bad")) {
            throw new CacheWriterException("refused");
          }
          written.add(entry.getKey());
        }

        @Override
        public void writeAll(Collection<Cache.Entry<? extends String, ? extends String>> entries) {
          entries.forEach(this::write);
          entries.clear();
        }

        @Override
        public void delete(Object key) {
          written.add("-" + key);
        }

        @Override
        public void deleteAll(Collection<?> keys) {
          keys.forEach(this::delete);
          keys.clear();
        }
      };

  @SuppressWarnings("unchecked") // made with these types
  private VarveCache<String, String> create(StorageMode mode) {
    CacheEntryCreatedListener<String, String> listener =
        events -> events.forEach(event -> heard.add(event.getKey()));
    CacheOptions<String, String> options =
        new CacheOptions<String, String>().mode(mode).valueMarshaller(counting);
    options.setTypes(String.class, String.class);
    options.setWriteThrough(true).setStatisticsEnabled(true);
    options.setCacheWriterFactory(new SingletonFactory<>(writer));
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(listener), null, false, true));
    return provider.getCacheManager().createCache("c", options).unwrap(VarveCache.class);
  }

  @ParameterizedTest
  @EnumSource
  void skippedPartsAreNotCalled(StorageMode mode) {
    VarveCache<String, String> cache = create(mode);
    cache.put("a", "1");
    cache.with(Flag.SKIP_STORE).put("b", "2");
    cache.with(Flag.SKIP_LISTENERS).put("c", "3");
    cache.with(Flag.SKIP_STORE).with(Flag.SKIP_LISTENERS, Flag.FORCE_SYNCHRONOUS).put("d", "4");
    assertThat(written).containsExactly("a", "c");
    assertThat(heard).containsExactly("a", "b");
    for (String key : List.of("a", "b", "c", "d")) {
      assertThat(cache.with(Flag.SKIP_STATISTICS).get(key)).isNotNull();
    }
    assertThat(cache.size()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void returnValuesThatNobodyWantsAreNotMade(StorageMode mode) {
    VarveCache<String, String> cache = create(mode);
    VarveCache<String, String> blind = cache.with(Flag.IGNORE_RETURN_VALUES);
    cache.put("a", "1");
    decoded.set(0);
    assertThat(blind.getAndPut("a", "2")).isNull();
    assertThat(blind.getAndReplace("a", "3")).isNull();
    assertThat(blind.getAndReplace("none", "3")).isNull();
    assertThat(blind.replace("a", "4")).isTrue();
    assertThat(decoded).hasValue(0);
    assertThat(blind.replace("a", "other", "5")).as("a condition is looked at").isFalse();
    assertThat(blind.get("a")).isEqualTo("4");
    assertThat(blind.getAndRemove("a")).isNull();
    assertThat(cache.containsKey("a")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aSilentCallDropsFailuresAlone(StorageMode mode) {
    VarveCache<String, String> cache = create(mode);
    assertThatThrownBy(() -> cache.put("bad", "1")).isInstanceOf(CacheWriterException.class);
    VarveCache<String, String> silent = cache.with(Flag.FAIL_SILENTLY);
    silent.put("bad", "1");
    assertThat(silent.putIfAbsent("bad", "1")).isFalse();
    assertThat(silent.getAndPut("bad", "1")).isNull();
    assertThat(silent.asMap().put("bad", "1")).isNull();
    assertThat(cache.containsKey("bad")).isFalse();
    assertThatThrownBy(() -> silent.get(null)).isInstanceOf(NullPointerException.class);
    silent.close();
    assertThatThrownBy(() -> silent.get("a")).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void noWaitForALock(StorageMode mode) throws Exception {
    VarveCache<String, String> cache = create(mode);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread holder =
        Thread.ofVirtual()
            .start(() ->
                cache.invoke(
                    "a",
                    (entry, _) -> {
                      inside.countDown();
                      try {
                        leave.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      entry.setValue("held");
                      return null;
                    }));
    inside.await();
    VarveCache<String, String> hasty = cache.with(Flag.ZERO_LOCK_WAIT);
    assertThatThrownBy(() -> hasty.put("a", "2"))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("cache=c");
    hasty.with(Flag.FAIL_SILENTLY).put("a", "2");
    assertThat(hasty.with(Flag.FAIL_SILENTLY).getAll(Set.of("a"))).isEmpty();
    assertThat(hasty.with(Flag.FAIL_SILENTLY).asMap().putIfAbsent("b", "2")).isNull();
    assertThatThrownBy(() -> hasty.putAll(Map.of("a", "2", "c", "2")))
        .isInstanceOf(CacheException.class);
    leave.countDown();
    holder.join();
    assertThat(cache.get("a")).isEqualTo("held");
    hasty.put("a", "3");
    assertThat(cache.get("a")).isEqualTo("3");
  }
}
