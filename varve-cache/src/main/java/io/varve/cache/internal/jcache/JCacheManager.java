package io.varve.cache.internal.jcache;

import io.varve.Durability;
import io.varve.cache.CacheOptions;
import io.varve.cache.HeapFull;
import io.varve.cache.StorageMode;
import io.varve.cache.WriteBehind;
import io.varve.spi.StackReserve;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
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
  private static final System.Logger LOGGER = System.getLogger(JCacheManager.class.getName());

  private final CachingProvider provider;
  private final URI uri;
  private final WeakReference<ClassLoader> classLoader;
  private final Properties properties;
  private final InstantSource clock;
  private final ManagerStore store;
  private final Map<String, JCache<?, ?>> caches = new ConcurrentHashMap<>();
  private final Purger purger;

  /// Held while the manager is being closed, so that a second closer waits for the first.
  private final ReentrantLock closing = new ReentrantLock();

  private volatile boolean closed;

  /// Caches that are to be open before anybody uses the manager. Emptied by the thread that opens
  /// them.
  private final Map<String, CacheOptions<?, ?>> expected;

  private volatile boolean isOpenWithCaches;

  /// Releases what the manager has open once nobody can find it or refers to it.
  private final Ending ending;

  /// What identifies a manager, and the provider that is asked for it.
  public record Identity(
      CachingProvider provider, URI uri, ClassLoader classLoader, Properties properties) {}

  /// Makes a manager without caches.
  ///
  /// @param directory of the store, or null for one in memory
  /// @param expected caches that [#isOpenWithCaches] opens
  /// @param purgeInterval from one removal of expired entries to the next
  public JCacheManager(
      Identity identity,
      @Nullable Path directory,
      Map<String, ? extends CacheOptions<?, ?>> expected,
      InstantSource clock,
      Duration purgeInterval,
      Consumer<JCacheManager> onClose) {
    this.provider = identity.provider();
    this.uri = identity.uri();
    this.classLoader = new WeakReference<>(identity.classLoader());
    this.properties = new Properties();
    this.properties.putAll(identity.properties());
    this.store = new ManagerStore(directory, ManagerProperties.storeOptions(properties));
    this.clock = clock;
    this.purger = new Purger(caches.values(), purgeInterval);
    this.expected = new LinkedHashMap<>(expected);
    this.ending = new Ending(() -> onClose.accept(this), List.of(purger, store));
    ending.await(identity.classLoader(), this);
  }

  /// Refuses properties by which a manager of this directory would have another key.
  public void requireKeyOf(Properties asked) {
    store.requireKeyOf(asked);
  }

  /// Opens the caches that the manager was made with, unless that is done; waits for another thread
  /// that does (BEGUN-2). A manager of which one cannot be opened is closed.
  ///
  /// @return whether the manager is open
  /// @throws CacheException if the thread that opens them waits for this one, or is this one
  public boolean isOpenWithCaches() {
    if (!isOpenWithCaches) {
      CachesBegun.begin(this, null);
      try {
        openCaches();
      } finally {
        CachesBegun.end(this, null);
      }
    }
    return !closed;
  }

  private void openCaches() {
    try {
      if (!closed) {
        expected.forEach((name, options) -> createCache(name, options));
        expected.clear();
      }
      isOpenWithCaches = true;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void requireOpen() {
    StackReserve.require();
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
    if (!options.hasMode() && store.hasDirectory()) {
      options.mode(StorageMode.TIERED); // a program that names a directory wants entries there
    }
    JCache<?, ?> ended = caches.get(cacheName);
    if (ended != null && ended.isEnding()) {
      ended.close(); // waits for the thread that is closing it, or tidies up what another manager
      // destroyed
    }
    JCache<K, V> cache = newCache(cacheName, options);
    try {
      cache.begin();
    } catch (RuntimeException | Error e) {
      cache.close();
      throw e;
    }
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
    Counters counters = new Counters();
    List<Object> made = new ArrayList<>();
    // A second creator of the name waits: once the cache is known to exist, it can be found.
    CachesBegun.begin(this, cacheName);
    try {
      requireOpen();
      if (caches.containsKey(cacheName)) {
        throw new CacheException("there is a cache of that name: cache=" + cacheName);
      }
      requirePossible(cacheName, options);
      // Factories are code of users, which may wait for another thread that uses the manager.
      Source<K, V> source = source(options, counters, made);
      Expiry expiry = new Expiry(make(options.getExpiryPolicyFactory(), made));
      synchronized (this) {
        requireOpen();
        JCache<K, V> cache = openCache(cacheName, options, source, expiry, counters);
        caches.put(cacheName, cache);
        return cache;
      }
    } catch (RuntimeException | Error e) {
      Closing.closeGiven(made.toArray());
      throw e;
    } finally {
      CachesBegun.end(this, cacheName);
    }
  }

  private void requirePossible(String cacheName, CacheOptions<?, ?> options) {
    if (options.mode().hasPages() && !options.isStoreByValue()) {
      throw new UnsupportedOperationException(
          "what is in pages cannot be stored by reference: cache="
              + cacheName
              + ", mode="
              + options.mode()
              + "; leave out setStoreByValue(false), or choose the mode HEAP");
    }
    if (options.mode().hasPages()
        && options.durability() == Durability.NONE
        && store.hasDirectory()) {
      throw new IllegalArgumentException( // else each put would fail
          "a cache in a directory cannot have durability NONE: cache="
              + cacheName
              + ", mode="
              + options.mode()
              + "; choose BACKGROUND, or the mode HEAP");
    }
    if (options.heapFull() == HeapFull.REFUSE
        && (options.mode().hasPages()
            || (options.heapEntriesMax() == 0 && options.heapBytesMax() == 0))) {
      throw new IllegalArgumentException(
          "only a bounded cache on the heap can refuse entries: cache="
              + cacheName
              + ", mode="
              + options.mode()
              + "; choose the mode HEAP with heapEntriesMax or heapBytesMax, or leave out heapFull");
    }
  }

  private <K, V> JCache<K, V> openCache(
      String cacheName,
      CacheOptions<K, V> options,
      Source<K, V> source,
      Expiry expiry,
      Counters counters) {
    ClassLoader loader = loader();
    OpenCache<K, V> open =
        new Containers<>(cacheName, options, loader, counters.evictions.adder()).open(store);
    CacheState<K, V> state =
        new CacheState<>(
            cacheName,
            this,
            loader,
            options,
            open,
            sourceLater(cacheName, source, options, open, loader),
            counters,
            expiry,
            clock,
            new ManagementBeans(uri.toString(), cacheName),
            new AtomicBoolean(),
            new ReentrantLock());
    return new JCache<>(state, () -> caches.remove(cacheName));
  }

  /// Has a factory make something, and notes it, to be closed if the cache cannot be made.
  private static <T> T make(Factory<T> factory, List<Object> made) {
    T created = factory.create();
    made.add(created);
    return created;
  }

  private ClassLoader loader() {
    ClassLoader present = classLoader.get();
    return present == null ? JCacheManager.class.getClassLoader() : present;
  }

  private static <K, V> Source<K, V> source(
      CacheOptions<K, V> options, Counters counters, List<Object> made) {
    Factory<CacheLoader<K, V>> loaders = options.getCacheLoaderFactory();
    Factory<CacheWriter<? super K, ? super V>> writers = options.getCacheWriterFactory();
    return new Source<>(
        loaders == null ? null : make(loaders, made),
        options.isReadThrough(),
        writers == null || !options.isWriteThrough() ? null : make(writers, made),
        counters);
  }

  /// The source of a cache, to which changes go later if the options require it. Leaves the cache
  /// if that cannot be.
  private static <K, V> Source<K, V> sourceLater(
      String cacheName,
      Source<K, V> source,
      CacheOptions<K, V> options,
      OpenCache<K, V> open,
      ClassLoader loader) {
    boolean done = false;
    try {
      WriteBehind later = source.writer() == null ? null : options.writeBehind();
      Source<K, V> result =
          later == null ? source : source.later(writer(cacheName, later, source, open, loader));
      if (later == null && open.hasWaitingWrites(cacheName)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "changes wait for a writer that the cache does not have now: cache="
                + cacheName
                + "; open it with its writer and writeBehind once, or destroy it");
      }
      done = true;
      return result;
    } finally {
      if (!done) {
        open.leave();
      }
    }
  }

  private static <K, V> WriteBehindWriter<K, V> writer(
      String cacheName,
      WriteBehind later,
      Source<K, V> source,
      OpenCache<K, V> open,
      ClassLoader loader) {
    if (!open.claimWrites()) {
      throw new CacheException(
          "another manager of the directory writes the changes of the cache later: cache="
              + cacheName
              + "; leave out the writer here, or close the cache there");
    }
    boolean done = false;
    try {
      WriteBehindWriter<K, V> writer =
          new WriteBehindWriter<>(
              cacheName, later, Objects.requireNonNull(source.writer()), open, loader);
      done = true;
      return writer;
    } finally {
      if (!done) {
        open.releaseWrites();
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // compared before
  public <K, V> @Nullable Cache<K, V> getCache(
      String cacheName, Class<K> keyType, Class<V> valueType) {
    requireOpen();
    Objects.requireNonNull(keyType, "keyType");
    Objects.requireNonNull(valueType, "valueType");
    JCache<?, ?> cache = open(cacheName);
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
  @SuppressWarnings("unchecked") // as JCache has it: the caller that asks must know
  public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
    requireOpen();
    return (Cache<K, V>) open(cacheName);
  }

  /// The cache of a name; null if there is none, or another manager destroyed it.
  private @Nullable JCache<?, ?> open(String cacheName) {
    JCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
    return cache == null || cache.isClosed() ? null : cache;
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
    } else {
      store.destroy(cacheName);
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

  /// Closes all caches and the store; what cannot be closed keeps nothing else open. Returns when
  /// that is done, by this call or another.
  @Override
  public void close() {
    StackReserve.require();
    closing.lock();
    try {
      synchronized (this) {
        if (closed) {
          return;
        }
        closed = true;
      }
      Closing steps = new Closing().step(purger::close);
      List.copyOf(caches.values()).forEach(cache -> steps.step(cache::close));
      steps.step(store::close).step(ending::closed).end();
    } finally {
      closing.unlock();
    }
  }

  /// Closes several managers, whether or not some of them fail.
  public static void closeAll(Collection<JCacheManager> managers) {
    Closing steps = new Closing();
    managers.forEach(manager -> steps.step(manager::close));
    steps.end();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("the cache manager is no " + type.getName());
  }
}
