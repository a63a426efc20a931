package io.varve.cache.internal.jcache;

import io.varve.cache.CacheOptions;
import io.varve.cache.Marshaller;
import io.varve.cache.Marshallers;
import io.varve.cache.StorageMode;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.HeapBound;
import io.varve.cache.internal.container.HeapContainer;
import io.varve.cache.internal.container.KeyCopies;
import io.varve.cache.internal.container.OverflowContainer;
import io.varve.cache.internal.container.PagesContainer;
import io.varve.cache.internal.container.TieredContainer;
import io.varve.cache.internal.container.ValueForm;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheWriter;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/// The caches of one URI and class loader, with the store that those have that need one.
public final class JCacheManager implements CacheManager {
  /// Entries on the heap beside pages, unless said otherwise.
  private static final long HEAP_ENTRIES_BESIDE_PAGES = 10_000;

  private final CachingProvider provider;
  private final URI uri;
  private final WeakReference<ClassLoader> classLoader;
  private final Properties properties;
  private final InstantSource clock;
  private final Consumer<JCacheManager> onClose;
  private final ManagerStore store;
  private final Map<String, JCache<?, ?>> caches = new ConcurrentHashMap<>();
  private final Purger purger = new Purger(caches.values());
  private volatile boolean closed;

  /// Makes a manager without caches.
  ///
  /// @param directory of the store, or null for one in memory
  public JCacheManager(
      CachingProvider provider,
      URI uri,
      ClassLoader classLoader,
      Properties properties,
      @Nullable Path directory,
      InstantSource clock,
      Consumer<JCacheManager> onClose) {
    this.provider = provider;
    this.uri = uri;
    this.classLoader = new WeakReference<>(classLoader);
    this.properties = new Properties();
    this.properties.putAll(properties);
    this.store = new ManagerStore(directory);
    this.clock = clock;
    this.onClose = onClose;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache manager is closed: uri=" + uri);
    }
  }

  @Override
  public <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(
      String cacheName, C configuration) {
    requireOpen();
    Objects.requireNonNull(cacheName, "cacheName");
    Objects.requireNonNull(configuration, "configuration");
    CacheOptions<K, V> options = new CacheOptions<>(complete(configuration));
    JCache<K, V> cache;
    synchronized (this) {
      requireOpen();
      if (caches.containsKey(cacheName)) {
        throw new CacheException("there is a cache of that name: cache=" + cacheName);
      }
      cache = newCache(cacheName, options);
      caches.put(cacheName, cache);
    }
    cache.showStatistics(options.isStatisticsEnabled());
    cache.showConfiguration(options.isManagementEnabled());
    purger.start();
    return cache;
  }

  private static <K, V> CompleteConfiguration<K, V> complete(Configuration<K, V> configuration) {
    if (configuration instanceof CompleteConfiguration<K, V> complete) {
      return complete;
    }
    MutableConfiguration<K, V> complete = new MutableConfiguration<>();
    complete.setStoreByValue(configuration.isStoreByValue());
    complete.setTypes(configuration.getKeyType(), configuration.getValueType());
    return complete;
  }

  private <K, V> JCache<K, V> newCache(String cacheName, CacheOptions<K, V> options) {
    Marshaller<K> keys =
        options.keyMarshaller() != null
            ? options.keyMarshaller()
            : Marshallers.ofType(options.getKeyType(), loader());
    Marshaller<V> values =
        options.valueMarshaller() != null
            ? options.valueMarshaller()
            : Marshallers.ofType(options.getValueType(), loader());
    Counters counters = new Counters();
    CacheState<K, V> state =
        new CacheState<>(
            cacheName,
            this,
            options,
            newContainer(cacheName, options, keys, values, counters),
            keys,
            source(options),
            counters,
            clock);
    return new JCache<>(state, () -> caches.remove(cacheName));
  }

  private ClassLoader loader() {
    ClassLoader present = classLoader.get();
    return present == null ? JCacheManager.class.getClassLoader() : present;
  }

  private <K, V> Container<K, V> newContainer(
      String cacheName,
      CacheOptions<K, V> options,
      Marshaller<K> keys,
      Marshaller<V> values,
      Counters counters) {
    boolean byValue = options.isStoreByValue() || options.heapBytesMax() > 0;
    KeyCopies<K> copies = new KeyCopies<>(byValue ? keys : null);
    ValueForm<V> form = byValue ? new ValueForm.ByValue<>(values) : new ValueForm.ByReference<>();
    if (options.mode() == StorageMode.HEAP) {
      HeapBound bound = new HeapBound(options.heapEntriesMax(), options.heapBytesMax());
      return new HeapContainer<>(bound, copies, form, options.segments(), counters.evictions);
    }
    PagesContainer<K, V> pages =
        new PagesContainer<>(
            store.open(), cacheName, options.segments(), options.durability(), keys, values);
    HeapBound bound =
        options.heapBytesMax() > 0
            ? new HeapBound(0, options.heapBytesMax())
            : new HeapBound(
                options.heapEntriesMax() > 0 ? options.heapEntriesMax() : HEAP_ENTRIES_BESIDE_PAGES,
                0);
    return switch (options.mode()) {
      case HEAP, PAGES -> pages;
      case TIERED -> new TieredContainer<>(pages, bound, copies, form);
      case OVERFLOW ->
          new OverflowContainer<>(pages, bound, copies, form, keys, counters.evictions);
    };
  }

  private static <K, V> Source<K, V> source(CacheOptions<K, V> options) {
    Factory<CacheLoader<K, V>> loaders = options.getCacheLoaderFactory();
    Factory<CacheWriter<? super K, ? super V>> writers = options.getCacheWriterFactory();
    return new Source<>(
        loaders == null ? null : loaders.create(),
        options.isReadThrough(),
        writers == null || !options.isWriteThrough() ? null : writers.create());
  }

  @Override
  @SuppressWarnings("unchecked") // compared before
  public <K, V> @Nullable Cache<K, V> getCache(
      String cacheName, Class<K> keyType, Class<V> valueType) {
    requireOpen();
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    JCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    if (cache == null) {
      return null;
    }
    requireType("keys", cache.getConfiguration(CacheOptions.class).getKeyType(), keyType);
    requireType("values", cache.getConfiguration(CacheOptions.class).getValueType(), valueType);
    return (Cache<K, V>) cache;
  }

  private static void requireType(String what, Class<?> declared, Class<?> asked) {
    if (declared != asked) {
      throw new ClassCastException(
          "the "
              + what
              + " of the cache are of another type: declared="
              + declared.getName()
              + ", asked="
              + asked.getName());
    }
  }

  @Override
  @SuppressWarnings("unchecked") // as JCache has it: who asks must know
  public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
    requireOpen();
    return (Cache<K, V>) caches.get(Objects.requireNonNull(cacheName, "cacheName"));
  }

  @Override
  public Iterable<String> getCacheNames() {
    requireOpen();
    return List.copyOf(caches.keySet());
  }

  @Override
  public void destroyCache(String cacheName) {
    requireOpen();
    JCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    if (cache != null) {
      cache.destroy();
    }
  }

  @Override
  public void enableManagement(String cacheName, boolean enabled) {
    requireOpen();
    JCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    if (cache != null) {
      cache.showConfiguration(enabled);
    }
  }

  @Override
  public void enableStatistics(String cacheName, boolean enabled) {
    requireOpen();
    JCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    if (cache != null) {
      cache.showStatistics(enabled);
    }
  }

  @Override
  public CachingProvider getCachingProvider() {
    return provider;
  }

  @Override
  public URI getURI() {
    return uri;
  }

  @Override
  public @Nullable ClassLoader getClassLoader() {
    return classLoader.get();
  }

  @Override
  public Properties getProperties() {
    return properties;
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    purger.close();
    new ArrayList<>(caches.values()).forEach(JCache::close);
    store.close();
    onClose.accept(this);
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("the cache manager is no " + type.getName());
  }
}
