package io.varve.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.cache.Cache;
import javax.cache.configuration.FactoryBuilder.SingletonFactory;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changes for a writer whose values cannot be read for some time, as after a class has changed.
@Timeout(120)
class WriteBehindUnreadableTest {
  private static final WriteBehind FAST =
      WriteBehind.defaults()
          .delay(Duration.ZERO)
          .retry(Duration.ofMillis(1), Duration.ofMillis(10));

  private final VarveCachingProvider provider = new VarveCachingProvider();
  @TempDir Path directory;

  @AfterEach
  void closeAll() {
    provider.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  /// A value that cannot be read, whatever the marshaller throws, is tried again.
  @Test
  void anErrorOfAMarshallerKeepsNoOtherChange() throws Exception {
    Map<String, byte[]> written = new ConcurrentHashMap<>();
    FragileMarshaller marshaller = new FragileMarshaller(new AtomicBoolean(true));
    Cache<String, byte[]> cache = open(marshaller, new MapWriter(written, () -> false));
    cache.put("a", new byte[] {FragileMarshaller.FRAGILE});
    cache.put("b", new byte[] {2});
    await(() -> written.containsKey("b"));
    marshaller.fails.set(false);
    await(() -> written.containsKey("a"));
  }

  /// A change that cannot be read when the cache opens stays in the store, until a later one of its
  /// key comes.
  @Test
  void aChangeThatCannotBeReadIsSetAside() throws Exception {
    Map<String, byte[]> written = new ConcurrentHashMap<>();
    FragileMarshaller marshaller = new FragileMarshaller(new AtomicBoolean());
    Cache<String, byte[]> cache = open(marshaller, new MapWriter(written, () -> true));
    cache.put("a", new byte[] {FragileMarshaller.FRAGILE});
    cache.put("b", new byte[] {2});
    cache.put("c", new byte[] {FragileMarshaller.FRAGILE});
    cache.close();

    marshaller.fails.set(true);
    cache = open(marshaller, new MapWriter(written, () -> false));
    cache.put("c", new byte[] {3});
    cache.close();
    assertThat(written).containsOnlyKeys("b", "c");

    marshaller.fails.set(false);
    open(marshaller, new MapWriter(written, () -> false)).close();
    assertThat(written.get("a")).containsExactly(FragileMarshaller.FRAGILE);
    assertThat(written.get("c")).containsExactly(3);
  }

  private Cache<String, byte[]> open(
      FragileMarshaller marshaller, CacheWriter<String, byte[]> writer) {
    Properties properties = new Properties();
    properties.setProperty(VarveCachingProvider.DIRECTORY, directory.resolve("store").toString());
    CacheOptions<String, byte[]> options = new CacheOptions<>();
    options.mode(StorageMode.TIERED).durability(Durability.PROCESS_CRASH).writeBehind(FAST);
    options.setTypes(String.class, byte[].class);
    options.valueMarshaller(marshaller);
    options.setWriteThrough(true);
    options.setCacheWriterFactory(new SingletonFactory<>(writer));
    return provider.getCacheManager(null, null, properties).createCache("c", options);
  }

  /// Fails to read what begins with [#FRAGILE], as if a class had changed.
  private record FragileMarshaller(AtomicBoolean fails) implements Marshaller<byte[]> {
    static final byte FRAGILE = 1;

    @Override
    public byte[] toBytes(byte[] value) {
      return value.clone();
    }

    @Override
    public byte[] fromBytes(byte[] bytes) {
      if (bytes[0] == FRAGILE && fails.get()) {
        throw new NoClassDefFoundError("com/example/Part");
      }
      return bytes.clone();
    }
  }

  /// Writes to a map, unless it is down.
  private record MapWriter(Map<String, byte[]> rows, BooleanSupplier down)
      implements CacheWriter<String, byte[]> {
    @Override
    public void write(Cache.Entry<? extends String, ? extends byte[]> entry) {
      if (down.getAsBoolean()) {
        throw new CacheWriterException("the database is down");
      }
      rows.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends byte[]>> entries) {
      entries.forEach(this::write);
    }

    @Override
    public void delete(Object key) {
      rows.remove(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.forEach(this::delete);
    }
  }
}
