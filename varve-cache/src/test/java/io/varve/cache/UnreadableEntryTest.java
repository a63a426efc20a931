package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.cache.Cache;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries whose class has changed or is gone, in every storage mode.
class UnreadableEntryTest {
  @TempDir Path directory;

  private final VarveCachingProvider provider = new VarveCachingProvider();
  private final List<Object> deleted = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void close() {
    Fragile.isGone = false;
    provider.close();
  }

  /// A class of which a part can be as if it were gone.
  record Fragile(Part part) {
    private static volatile boolean isGone;

    static final class Part implements Serializable {
      @Serial private static final long serialVersionUID = 1;

      @Serial
      private void readObject(ObjectInputStream input) throws IOException, ClassNotFoundException {
        if (isGone) {
          throw new NoClassDefFoundError("com/example/Gone");
        }
        input.defaultReadObject();
      }
    }
  }

  private final CacheWriter<Object, Object> writer =
      new CacheWriter<>() {
        @Override
        public void write(Cache.Entry<?, ?> entry) {}

        @Override
        public void writeAll(Collection<Cache.Entry<?, ?>> entries) {
          entries.clear();
        }

        @Override
        public void delete(Object key) {
          deleted.add(key);
        }

        @Override
        public void deleteAll(Collection<?> keys) {
          keys.forEach(this::delete);
          keys.clear();
        }
      };

  @SuppressWarnings("unchecked") // a class has no type parameters
  private VarveCache<Object, Object> cache(StorageMode mode) {
    CacheOptions<Object, Object> options = new CacheOptions<>().mode(mode);
    options.setWriteThrough(true);
    options.setCacheWriterFactory(() -> writer);
    CacheEntryRemovedListener<Object, Object> listener =
        events -> events.forEach(event -> heard.add(event.getKey() + "=" + event.getValue()));
    options.addCacheEntryListenerConfiguration(
        new MutableCacheEntryListenerConfiguration<>(
            new SingletonFactory<>(listener), null, true, true));
    return provider
        .getCacheManager(directory.toUri(), null)
        .createCache("books", options)
        .unwrap(VarveCache.class);
  }

  @ParameterizedTest
  @EnumSource
  void anEntryThatCannotBeReadIsRemovedFromTheCacheAlone(StorageMode mode) {
    VarveCache<Object, Object> cache = cache(mode);
    cache.put("1", new Fragile(new Fragile.Part()));
    cache.put("2", "two");
    assertThat(cache.removeUnreadable("1")).isFalse();
    Fragile.isGone = true;
    assertThatThrownBy(() -> cache.get("1"))
        .isInstanceOf(UnreadableEntryException.class)
        .hasMessageContaining("cache=books")
        .hasMessageContaining("is gone: cause=com/example/Gone");
    assertThatThrownBy(() -> cache.invoke("1", (_, _) -> null))
        .isInstanceOf(UnreadableEntryException.class);
    assertThat(cache.removeUnreadable("1")).isTrue();
    assertThat(cache.removeUnreadable("1")).isFalse();
    assertThat(cache.removeUnreadable("2")).isFalse();
    assertThat(cache.get("1")).isNull();
    assertThat(cache.get("2")).isEqualTo("two");
    assertThat(cache.size()).isEqualTo(1);
    assertThat(deleted).isEmpty();
    assertThat(heard).containsExactly("1=null");
  }

  /// Each entry of a class that was renamed had a trace in the log, of fifty lines and more.
  @Test
  void whatIsRemovedTakesOneLineOfTheLog() {
    List<LogRecord> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.varve.cache.internal.jcache.Operations");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      VarveCache<Object, Object> cache = cache(StorageMode.HEAP);
      cache.put("1", new Fragile(new Fragile.Part()));
      Fragile.isGone = true;
      assertThat(cache.removeUnreadable("1")).isTrue();
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    assertThat(logged).hasSize(1);
    assertThat(logged.getFirst().getThrown()).isNull();
    assertThat(logged.getFirst().getMessage())
        .startsWith("an entry that cannot be read is removed: cache=books, reason=")
        .contains("is gone: cause=com/example/Gone");
  }

  /// Guards against programs that take a value that cannot be written for one that cannot be read.
  @Test
  void aValueThatCannotBeWrittenIsNoEntryThatCannotBeRead() {
    assertThatThrownBy(() -> cache(StorageMode.HEAP).put("1", new ThreadLocal<>()))
        .isNotInstanceOf(UnreadableEntryException.class);
  }
}
