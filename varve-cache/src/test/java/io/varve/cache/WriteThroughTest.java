package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Changes that fail in the cache, before or after the writer has made them in the source.
@Timeout(60)
class WriteThroughTest {
  private static final Map<String, Object> OLD = all("old");

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final Rows rows = new Rows();

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private static Map<String, Object> all(Object value) {
    return List.of("a", "b", "c", "d", "e").stream()
        .collect(Collectors.toMap(key -> key, _ -> value));
  }

  /// The source of a cache.
  private static final class Rows implements CacheWriter<String, Object> {
    private final Map<String, Object> values = new ConcurrentHashMap<>();

    @Override
    public void write(Cache.Entry<? extends String, ? extends Object> entry) {
      values.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Object>> entries) {
      entries.forEach(this::write);
      entries.clear();
    }

    @Override
    public void delete(Object key) {
      values.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(values::remove);
      keys.clear();
    }
  }

  private CacheOptions<String, Object> options(StorageMode mode) {
    CacheOptions<String, Object> options = new CacheOptions<>();
    options.setTypes(String.class, Object.class);
    options.setWriteThrough(true);
    options.setCacheWriterFactory(new SingletonFactory<>(rows));
    return options.mode(mode);
  }

  private Cache<String, Object> open(CacheOptions<String, Object> options) {
    return provider.getCacheManager().createCache("c", options);
  }

  /// An object that no marshaller takes.
  private record Unmarshallable(Thread thread) {}

  private static void assertRefused(Runnable change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("Thread");
  }

  @ParameterizedTest
  @EnumSource
  void aValueThatCannotBeMarshalledDoesNotReachTheWriter(StorageMode mode) {
    Cache<String, Object> cache = open(options(mode));
    cache.putAll(OLD);
    Object bad = new Unmarshallable(Thread.currentThread());
    assertRefused(() -> cache.put("a", bad));
    assertRefused(() -> cache.getAndPut("a", bad));
    assertRefused(() -> cache.putIfAbsent("z", bad));
    assertRefused(() -> cache.replace("a", bad));
    assertRefused(() -> cache.replace("a", "old", bad));
    assertRefused(() -> cache.getAndReplace("a", bad));
    assertRefused(() -> cache.putAll(Map.of("b", "new", "a", bad)));
    assertRefused(() ->
        cache.invoke(
            "a",
            (entry, _) -> {
              entry.setValue(bad);
              return null;
            }));
    assertThat(rows.values).isEqualTo(OLD);
    assertThat(cache.getAll(OLD.keySet())).isEqualTo(OLD);
  }

  /// A listener that fails at one key.
  private static final class FailingAtC
      implements CacheEntryCreatedListener<String, Object>,
          CacheEntryUpdatedListener<String, Object>,
          CacheEntryRemovedListener<String, Object> {
    private void hear(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      events.forEach(event -> {
        if (event.getKey().equals("c") && !"old".equals(event.getValue())) {
          throw new CacheEntryListenerException("at c");
        }
      });
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends Object>> events) {
      hear(events);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aListenerThatFailsAtOneKeyKeepsNoOtherFromBeingChanged(StorageMode mode) {
    Cache<String, Object> cache = open(options(mode));
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(new FailingAtC()), null, false, true));
    cache.putAll(OLD);
    Map<String, Object> changed = all("new");
    assertThatThrownBy(() -> cache.putAll(changed)).isInstanceOf(CacheEntryListenerException.class);
    assertThat(rows.values).isEqualTo(changed);
    assertThat(cache.getAll(OLD.keySet())).isEqualTo(changed);
    assertThatThrownBy(() -> cache.removeAll(OLD.keySet()))
        .isInstanceOf(CacheEntryListenerException.class);
    assertThat(rows.values).isEmpty();
    assertThat(cache.getAll(OLD.keySet())).isEmpty();
  }
}
