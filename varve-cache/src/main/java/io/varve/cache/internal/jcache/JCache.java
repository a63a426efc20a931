package io.varve.cache.internal.jcache;

import io.varve.cache.CacheEntry;
import io.varve.cache.CacheOptions;
import io.varve.cache.CacheStatistics;
import io.varve.cache.Flag;
import io.varve.cache.VarveCache;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Found;
import io.varve.cache.internal.container.Held;
import io.varve.spi.StackReserve;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/// A cache as JCache describes it, over a container; or a view of one that has flags.
final class JCache<K, V> implements VarveCache<K, V> {
  private static final System.Logger LOGGER = System.getLogger(JCache.class.getName());

  /// Runs what a cache does for itself. Such a thread keeps no process alive.
  private static final Executor EXECUTOR = Thread::startVirtualThread;

  private final CacheState<K, V> state;
  private final Listeners<K, V> listeners;
  private final Runnable onClose;
  private final Set<Flag> flags;
  private final Expiry expiry;
  private final Container<K, V> container;
  private final Operations<K, V> operations;
  private final KeyOperations<K, V> single;
  private final BulkOperations<K, V> bulk;
  private final Processing<K, V> processing;
  private final Counters counters;

  /// Makes a cache.
  ///
  /// @param onClose called once it is closed
  JCache(CacheState<K, V> state, Runnable onClose) {
    this(state, null, onClose, EnumSet.noneOf(Flag.class), state.expiry());
  }

  /// Registers the listeners and shows the beans that the configuration asks for.
  void begin() {
    CacheOptions<K, V> options = state.options();
    List<CacheEntryListenerConfiguration<K, V>> given = new ArrayList<>();
    options.getCacheEntryListenerConfigurations().forEach(given::add);
    given.forEach(this::listen);
    showStatistics(options.isStatisticsEnabled());
    showConfiguration(options.isManagementEnabled());
  }

  private JCache(
      CacheState<K, V> state,
      @Nullable Listeners<K, V> shared,
      Runnable onClose,
      Set<Flag> flags,
      Expiry expiry) {
    this.state = state;
    this.container = state.open().container();
    this.listeners =
        shared == null
            ? new Listeners<>(this, container, state.options(), state.counters(), EXECUTOR)
            : shared;
    this.onClose = onClose;
    this.flags = flags;
    this.expiry = expiry;
    this.operations = new Operations<>(state, listeners, flags, expiry);
    this.single = new KeyOperations<>(operations);
    this.bulk = new BulkOperations<>(operations, EXECUTOR);
    this.processing = new Processing<>(operations);
    this.counters = operations.counters();
  }

  @Override
  public VarveCache<K, V> with(Flag... more) {
    Set<Flag> all = EnumSet.copyOf(flags);
    all.addAll(List.of(more));
    return view(all, expiry);
  }

  @Override
  public VarveCache<K, V> withExpiry(ExpiryPolicy policy) {
    return view(flags, new Expiry(Objects.requireNonNull(policy, "policy")));
  }

  private VarveCache<K, V> view(Set<Flag> ofView, Expiry expiryOfView) {
    JCache<K, V> view = new JCache<>(state, listeners, onClose, ofView, expiryOfView);
    return ofView.contains(Flag.FAIL_SILENTLY) ? SilentCache.of(view) : view;
  }

  private void requireOpen() {
    operations.requireOpen();
  }

  // Reads.

  @Override
  public @Nullable V get(K key) {
    long start = counters.start();
    V value = operations.find(operations.keyOf(key));
    counters.took(counters.gets, start);
    return value;
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    requireOpen();
    List<CacheKey<K>> all = new ArrayList<>();
    for (K key : keys) {
      all.add(operations.keyOf(key));
    }
    Map<K, V> found = new HashMap<>();
    for (CacheKey<K> key : all) {
      V value = get(key.key());
      if (value != null) {
        found.put(key.key(), value);
      }
    }
    return found;
  }

  @Override
  public Optional<Instant> expiresAt(K key) {
    Held held = operations.look(operations.keyOf(key));
    return held == null || operations.isExpired(held)
        ? Optional.empty()
        : Optional.of(Operations.endOf(held));
  }

  @Override
  public boolean removeUnreadable(K key) {
    return operations.removeUnreadable(operations.keyOf(key));
  }

  @Override
  public boolean containsKey(K key) {
    CacheKey<K> sought = operations.keyOf(key);
    Held held = container.get(sought);
    if (held == null || operations.isExpired(held)) {
      return operations.change(
          sought, lock -> operations.present(lock, operations.nowMillis()) != null);
    }
    return true;
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExistingValues, @Nullable CompletionListener listener) {
    StackReserve.require();
    requireOpen();
    bulk.loadAll(
        keys, replaceExistingValues, listener == null ? BulkOperations.noListener() : listener);
  }

  // Changes of one key.

  @Override
  public void put(K key, V value) {
    single.put(key, value, expiry);
  }

  @Override
  public void put(K key, V value, Duration ttl) {
    single.put(key, value, Expiry.after(ttl));
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    return single.getAndPut(key, value);
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    return single.putIfAbsent(key, value, expiry);
  }

  @Override
  public boolean putIfAbsent(K key, V value, Duration ttl) {
    return single.putIfAbsent(key, value, Expiry.after(ttl));
  }

  @Override
  public boolean remove(K key) {
    return single.remove(key);
  }

  @Override
  public boolean remove(K key, V oldValue) {
    return single.remove(key, oldValue);
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    return single.getAndRemove(key);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    return single.replace(key, oldValue, newValue);
  }

  @Override
  public boolean replace(K key, V value) {
    return single.replace(key, value);
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    return single.getAndReplace(key, value);
  }

  // Changes of many keys.

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    requireOpen();
    bulk.putAll(map);
  }

  @Override
  public void removeAll(Set<? extends K> keys) {
    requireOpen();
    bulk.removeAll(keys);
  }

  @Override
  public void removeAll() {
    requireOpen();
    bulk.removeEach(container.keys(0, container.segments()));
  }

  @Override
  public void clear() {
    requireOpen();
    listeners.missChanges();
    container.clear();
  }

  /// Removes all entries that have ended, which no caller may ever ask for again. Those that
  /// another thread is changing are left to the next time.
  void purge() {
    Iterator<K> ended = container.expired(operations.nowMillis());
    while (!isClosed() && ended.hasNext()) {
      try {
        operations.purge(ended.next());
      } catch (Throwable e) { // an error of a listener, too, is to keep no other entry
        if (!isClosed()) {
          LOGGER.log(
              System.Logger.Level.WARNING,
              "a listener failed on an expired entry, or it was not removed: cache=" + getName(),
              e);
        }
      }
    }
  }

  // Processors.

  @Override
  public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    CacheKey<K> processed = operations.keyOf(key);
    return processing.invoke(processed, Objects.requireNonNull(processor, "processor"), arguments);
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    requireOpen();
    return processing.invokeAll(keys, Objects.requireNonNull(processor, "processor"), arguments);
  }

  // Iteration.

  @Override
  public Iterator<Entry<K, V>> iterator() {
    requireOpen();
    return new EntryIterator<>(
        this::requireOpen, container.entries(0, container.segments()), this::use, this::remove);
  }

  /// The value of an entry, as one that is used; null if it is there no more.
  private @Nullable V use(Found<K> found) {
    Held held = held(found);
    if (held == null) {
      return null;
    }
    counters.lookup(true);
    return operations.pass(operations.keyOf(found.key()), held);
  }

  /// What a walk found; null if it is there no more or has ended.
  private @Nullable Held held(Found<K> found) {
    Held met = found.held();
    Held held = met != null ? met : operations.look(operations.keyOf(found.key()));
    return held == null || operations.isExpired(held) ? null : held;
  }

  @Override
  public Iterator<Entry<K, V>> segment(int segment) {
    requireOpen();
    Objects.checkIndex(segment, container.segments());
    return new EntryIterator<>(
        this::requireOpen, container.entries(segment, segment + 1), this::look, this::remove);
  }

  private @Nullable V look(Found<K> found) {
    Held held = held(found);
    return held == null ? null : operations.valueOf(held);
  }

  @Override
  public Stream<CacheEntry<K, V>> stream() {
    requireOpen();
    BitSet all = new BitSet();
    all.set(0, container.segments());
    return stream(all);
  }

  @Override
  public Stream<CacheEntry<K, V>> stream(Set<Integer> segments) {
    requireOpen();
    BitSet chosen = new BitSet();
    for (int segment : segments) {
      chosen.set(Objects.checkIndex(segment, container.segments()));
    }
    return stream(chosen);
  }

  private Stream<CacheEntry<K, V>> stream(BitSet segments) {
    return container.snapshot(segments).stream(operations.nowMillis(), this::requireOpen);
  }

  @Override
  public ConcurrentMap<K, V> asMap() {
    return new CacheMap<>(this);
  }

  @Override
  public long size() {
    requireOpen();
    return container.size();
  }

  @Override
  public CacheStatistics statistics() {
    requireOpen();
    Source<K, V> source = state.source();
    return state.counters().now(container, source.waitingWrites(), source.droppedWrites());
  }

  @Override
  public int segments() {
    return container.segments();
  }

  @Override
  public int segmentOf(K key) {
    return container.segmentOf(operations.keyOf(key));
  }

  @Override
  public long size(int segment) {
    requireOpen();
    Objects.checkIndex(segment, container.segments());
    return container.size(segment);
  }

  // What the cache is, and its end.

  @Override
  public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    StackReserve.require();
    requireOpen();
    Objects.requireNonNull(configuration, "configuration");
    listen(configuration);
  }

  private void listen(CacheEntryListenerConfiguration<K, V> configuration) {
    Registration<K, V> registration = listeners.register(configuration);
    boolean done = false;
    try {
      operations.replay(registration);
      done = true;
    } finally {
      if (!done) {
        listeners.deregister(registration);
      }
    }
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    StackReserve.require();
    requireOpen();
    Objects.requireNonNull(configuration, "configuration");
    listeners.deregister(configuration);
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    if (type.isInstance(state.options())) {
      return type.cast(state.options());
    }
    throw new IllegalArgumentException("the configuration is no " + type.getName());
  }

  @Override
  public String getName() {
    return state.name();
  }

  @Override
  public CacheManager getCacheManager() {
    return state.manager();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("the cache is no " + type.getName());
  }

  void showStatistics(boolean enabled) {
    requireOpen();
    state.counters().turn(enabled);
    state.options().setStatisticsEnabled(enabled);
    state
        .beans()
        .show(ManagementBeans.Kind.STATISTICS, new StatisticsBean(state.counters()), enabled);
  }

  void showConfiguration(boolean enabled) {
    requireOpen();
    state.options().setManagementEnabled(enabled);
    state
        .beans()
        .show(ManagementBeans.Kind.CONFIGURATION, new ConfigurationBean(state.options()), enabled);
  }

  @Override
  public boolean isClosed() {
    return state.isClosed();
  }

  /// Whether the cache is closed, or a thread is closing it.
  boolean isEnding() {
    return isClosed() || state.closing().isLocked();
  }

  @Override
  public void close() {
    end(state.open()::leave);
  }

  /// Closes the cache and removes its entries.
  void destroy() {
    end(state.open()::destroy);
  }

  /// Lets no caller use the cache any more. Returns when that is done, by this call or another.
  private void end(Runnable last) {
    StackReserve.require();
    state.closing().lock();
    try {
      if (!state.closed().get()) {
        // First, while the cache is open for its writer, and its changes for no other manager.
        Closing steps = new Closing().step(state.source()::drain);
        state.closed().set(true);
        steps
            .step(last)
            .step(state.beans()::hide)
            .step(listeners::close)
            .step(state.source()::close)
            .step(() -> Closing.closeGiven(state.expiry().policy()))
            .step(onClose)
            .end();
      }
    } finally {
      state.closing().unlock();
    }
  }
}
