package io.varve.cache.internal.jcache;

import io.varve.cache.Flag;
import io.varve.cache.VarveCache;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Held;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.event.EventType;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/// A cache as JCache describes it, over a container; or a view of one that has flags.
///
/// Each change of a key happens under its lock: what is there is looked at, the writer is called,
/// the container changes, listeners are told. A read takes the lock only if it changes something,
/// since the entry is missing, has expired, or lives longer when it is used.
final class JCache<K, V> implements VarveCache<K, V> {
  private final CacheState<K, V> state;
  private final Listeners<K, V> listeners;
  private final Runnable onClose;
  private final Set<Flag> flags;

  // Of the state; the source and the counters of a view may be others.
  private final Container<K, V> container;
  private final InstantSource clock;
  private final Expiry expiry;
  private final Source<K, V> source;
  private final Counters counters;

  /// Makes a cache.
  ///
  /// @param onClose called once it is closed
  JCache(CacheState<K, V> state, Runnable onClose) {
    this(state, null, onClose, EnumSet.noneOf(Flag.class));
    state.options.getCacheEntryListenerConfigurations().forEach(listeners::register);
  }

  private JCache(
      CacheState<K, V> state, @Nullable Listeners<K, V> shared, Runnable onClose, Set<Flag> flags) {
    this.state = state;
    this.listeners = shared == null ? new Listeners<>(this, state.executor) : shared;
    this.onClose = onClose;
    this.flags = flags;
    this.container = state.container;
    this.clock = state.clock;
    this.expiry = state.expiry;
    this.source = flags.contains(Flag.SKIP_STORE) ? new Source<>(null, false, null) : state.source;
    this.counters = flags.contains(Flag.SKIP_STATISTICS) ? new Counters() : state.counters;
  }

  @Override
  public VarveCache<K, V> with(Flag... more) {
    Set<Flag> all = EnumSet.copyOf(flags);
    all.addAll(List.of(more));
    JCache<K, V> view = new JCache<>(state, listeners, onClose, all);
    return all.contains(Flag.FAIL_SILENTLY) ? SilentCache.of(view) : view;
  }

  private void requireOpen() {
    state.requireOpen();
  }

  private CacheKey<K> keyOf(K key) {
    requireOpen();
    return new CacheKey<>(Objects.requireNonNull(key, "key"), state.keyMarshaller);
  }

  /// Runs a change of a key under its lock.
  private <T extends @Nullable Object> T locked(CacheKey<K> key, Supplier<T> change) {
    ReentrantLock lock = state.locks.of(key.key());
    if (!flags.contains(Flag.ZERO_LOCK_WAIT)) {
      lock.lock();
    } else if (!lock.tryLock()) {
      throw new CacheException(
          "another thread is changing the key, or one that shares its lock: cache="
              + state.name
              + "; try again, or without ZERO_LOCK_WAIT");
    }
    T result;
    try {
      requireOpen();
      result = change.get();
    } finally {
      lock.unlock();
    }
    if (flags.contains(Flag.FORCE_SYNCHRONOUS)) {
      container.force();
    }
    return result;
  }

  private void tell(
      EventType type, CacheKey<K> key, @Nullable V value, @Nullable Supplier<V> oldValue) {
    if (!flags.contains(Flag.SKIP_LISTENERS)) {
      listeners.tell(type, key.key(), value, oldValue);
    }
  }

  /// The value that a call gives back: null if nobody wants it.
  private @Nullable V returned(@Nullable Held held) {
    return held == null || flags.contains(Flag.IGNORE_RETURN_VALUES) ? null : container.value(held);
  }

  // What changes do. The lock of the key is held.

  /// What is there for a key; what has ended is removed.
  private @Nullable Held present(CacheKey<K> key, long now) {
    Held held = container.get(key);
    if (held == null || !held.isExpired(now)) {
      return held;
    }
    expire(key, held);
    return null;
  }

  private void expire(CacheKey<K> key, Held held) {
    container.remove(key, held);
    tell(EventType.EXPIRED, key, null, valueOf(held));
  }

  private Supplier<V> valueOf(Held held) {
    return () -> container.value(held);
  }

  /// Sets the value of a key.
  ///
  /// @param held what is there
  /// @return whether the value is there now, and did not end at once
  private boolean set(CacheKey<K> key, V value, @Nullable Held held, long now) {
    long end = held == null ? expiry.ofCreation(now) : expiry.ofUpdate(now, held.expiresAtMillis());
    if (end <= now) {
      if (held != null) {
        expire(key, held);
      }
      return false;
    }
    container.put(key, value, end, held);
    tell(
        held == null ? EventType.CREATED : EventType.UPDATED,
        key,
        value,
        held == null ? null : valueOf(held));
    return true;
  }

  private void removeHeld(CacheKey<K> key, Held held) {
    container.remove(key, held);
    tell(EventType.REMOVED, key, null, valueOf(held));
    counters.removal();
  }

  /// Notes the use of an entry.
  private void touch(CacheKey<K> key, Held held, long now) {
    long end = expiry.ofAccess(now, held.expiresAtMillis());
    if (end != held.expiresAtMillis()) {
      container.expireAt(key, held, end);
    }
  }

  // Reads.

  @Override
  public @Nullable V get(K key) {
    long start = counters.start();
    V value = find(keyOf(key));
    counters.took(counters.getNanos, start);
    return value;
  }

  private @Nullable V find(CacheKey<K> key) {
    long now = clock.millis();
    Held held = container.get(key);
    if (held == null || held.isExpired(now)) {
      return locked(key, () -> findOrLoad(key));
    }
    counters.lookup(true);
    V value = container.value(held);
    long end = expiry.ofAccess(now, held.expiresAtMillis());
    if (end != held.expiresAtMillis()) {
      locked(key, () -> lengthen(key, end, now));
    }
    return value;
  }

  /// Gives an entry another end since it was used, if it is there still.
  private @Nullable Void lengthen(CacheKey<K> key, long end, long now) {
    Held held = present(key, now);
    if (held != null) {
      container.expireAt(key, held, end);
    }
    return null;
  }

  private @Nullable V findOrLoad(CacheKey<K> key) {
    long now = clock.millis();
    Held held = present(key, now);
    counters.lookup(held != null);
    if (held != null) {
      V value = container.value(held);
      touch(key, held, now);
      return value;
    }
    V loaded = source.read(key.key());
    if (loaded != null) {
      set(key, loaded, null, now);
    }
    return loaded;
  }

  @Override
  public Map<K, V> getAll(Set<? extends K> keys) {
    requireOpen();
    List<CacheKey<K>> all = new ArrayList<>();
    for (K key : keys) {
      all.add(keyOf(key));
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
  public boolean containsKey(K key) {
    CacheKey<K> sought = keyOf(key);
    Held held = container.get(sought);
    if (held != null && held.isExpired(clock.millis())) {
      return locked(sought, () -> present(sought, clock.millis())) != null;
    }
    return held != null;
  }

  @Override
  public void loadAll(
      Set<? extends K> keys, boolean replaceExistingValues, @Nullable CompletionListener listener) {
    requireOpen();
    Set<K> wanted = new LinkedHashSet<>();
    for (K key : keys) {
      wanted.add(Objects.requireNonNull(key, "key"));
    }
    CompletionListener told = listener == null ? new NoListener() : listener;
    state.executor.execute(() -> {
      try {
        if (!replaceExistingValues) {
          wanted.removeIf(this::containsKey);
        }
        if (!wanted.isEmpty()) {
          source.loadAll(wanted).forEach(this::putLoaded);
        }
      } catch (CacheLoaderException e) {
        told.onException(e);
        return;
      } catch (RuntimeException e) {
        told.onException(new CacheLoaderException("loading failed: cause=" + e, e));
        return;
      }
      told.onCompletion();
    });
  }

  private void putLoaded(@Nullable K key, @Nullable V value) {
    if (key != null && value != null) {
      CacheKey<K> loaded = keyOf(key);
      locked(
          loaded,
          () -> {
            long now = clock.millis();
            return set(loaded, value, present(loaded, now), now);
          });
    }
  }

  private static final class NoListener implements CompletionListener {
    @Override
    public void onCompletion() {
      // nobody wants to know
    }

    @Override
    public void onException(Exception e) {
      System.getLogger(JCache.class.getName())
          .log(System.Logger.Level.WARNING, "entries of a cache were not loaded", e);
    }
  }

  // Changes of one key.

  @Override
  public void put(K key, V value) {
    putWritten(keyOf(key), Objects.requireNonNull(value, "value"), true);
  }

  /// Sets a value; the writer has it already, or is called first.
  private void putWritten(CacheKey<K> key, V value, boolean write) {
    long start = counters.start();
    boolean stored =
        locked(
            key,
            () -> {
              if (write) {
                source.write(key.key(), value);
              }
              long now = clock.millis();
              return set(key, value, present(key, now), now);
            });
    if (stored) {
      counters.put();
    }
    counters.took(counters.putNanos, start);
  }

  @Override
  public @Nullable V getAndPut(K key, V value) {
    CacheKey<K> changed = keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return locked(
        changed,
        () -> {
          source.write(key, value);
          long now = clock.millis();
          Held held = present(changed, now);
          V old = returned(held);
          set(changed, value, held, now);
          counters.lookup(held != null);
          counters.put();
          counters.took(counters.getNanos, start);
          counters.took(counters.putNanos, start);
          return old;
        });
  }

  @Override
  public void putAll(Map<? extends K, ? extends V> map) {
    requireOpen();
    Map<K, V> all = new HashMap<>();
    List<Entry<? extends K, ? extends V>> unwritten = new ArrayList<>();
    map.forEach((key, value) -> {
      Objects.requireNonNull(key, "key");
      all.put(key, Objects.requireNonNull(value, "value"));
      unwritten.add(new KeyValue<K, V>(key, value));
    });
    RuntimeException failure = null;
    if (source.writer() == null) {
      unwritten.clear();
    } else {
      try {
        source.writeAll(unwritten);
        unwritten.clear();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    unwritten.forEach(entry -> all.remove(entry.getKey()));
    all.forEach((key, value) -> putWritten(keyOf(key), value, false));
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    CacheKey<K> changed = keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return locked(
        changed,
        () -> {
          long now = clock.millis();
          Held held = present(changed, now);
          counters.lookup(held != null);
          if (held != null) {
            return false;
          }
          source.write(key, value);
          boolean stored = set(changed, value, null, now);
          if (stored) {
            counters.put();
            counters.took(counters.putNanos, start);
          }
          return stored;
        });
  }

  @Override
  public boolean remove(K key) {
    CacheKey<K> removed = keyOf(key);
    return removeWritten(removed, true);
  }

  private boolean removeWritten(CacheKey<K> key, boolean write) {
    long start = counters.start();
    boolean wasThere =
        locked(
            key,
            () -> {
              if (write) {
                source.delete(key.key());
              }
              Held held = present(key, clock.millis());
              if (held != null) {
                removeHeld(key, held);
              }
              return held != null;
            });
    counters.took(counters.removalNanos, start);
    return wasThere;
  }

  @Override
  public boolean remove(K key, V oldValue) {
    CacheKey<K> removed = keyOf(key);
    Objects.requireNonNull(oldValue, "oldValue");
    long start = counters.start();
    boolean done =
        locked(
            removed,
            () -> {
              long now = clock.millis();
              Held held = present(removed, now);
              counters.lookup(held != null);
              if (held == null) {
                return false;
              }
              if (!container.value(held).equals(oldValue)) {
                touch(removed, held, now);
                return false;
              }
              source.delete(key);
              removeHeld(removed, held);
              return true;
            });
    counters.took(counters.removalNanos, start);
    return done;
  }

  @Override
  public @Nullable V getAndRemove(K key) {
    CacheKey<K> removed = keyOf(key);
    long start = counters.start();
    return locked(
        removed,
        () -> {
          source.delete(key);
          Held held = present(removed, clock.millis());
          V old = returned(held);
          if (held != null) {
            removeHeld(removed, held);
          }
          counters.lookup(held != null);
          counters.took(counters.getNanos, start);
          counters.took(counters.removalNanos, start);
          return old;
        });
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    CacheKey<K> changed = keyOf(key);
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    long start = counters.start();
    return locked(
        changed,
        () -> {
          long now = clock.millis();
          Held held = present(changed, now);
          counters.lookup(held != null);
          if (held == null) {
            return false;
          }
          if (!container.value(held).equals(oldValue)) {
            touch(changed, held, now);
            return false;
          }
          replaceHeld(changed, newValue, held, now, start);
          return true;
        });
  }

  private void replaceHeld(CacheKey<K> key, V value, Held held, long now, long start) {
    source.write(key.key(), value);
    set(key, value, held, now);
    counters.put();
    counters.took(counters.putNanos, start);
  }

  @Override
  public boolean replace(K key, V value) {
    return replaceAny(key, value, _ -> true, false);
  }

  @Override
  public @Nullable V getAndReplace(K key, V value) {
    return replaceAny(key, value, this::returned, null);
  }

  /// Replaces the value of a key that has one.
  ///
  /// @param result what to give, of what was there
  /// @param none what to give if there was nothing
  private <T extends @Nullable Object> T replaceAny(
      K key, V value, Function<Held, T> result, T none) {
    CacheKey<K> changed = keyOf(key);
    Objects.requireNonNull(value, "value");
    long start = counters.start();
    return locked(
        changed,
        () -> {
          long now = clock.millis();
          Held held = present(changed, now);
          counters.lookup(held != null);
          if (held == null) {
            return none;
          }
          T given = result.apply(held);
          replaceHeld(changed, value, held, now, start);
          return given;
        });
  }

  // Changes of many keys.

  @Override
  public void removeAll(Set<? extends K> keys) {
    requireOpen();
    Set<K> all = new HashSet<>();
    for (K key : keys) {
      all.add(Objects.requireNonNull(key, "key"));
    }
    removeEach(all);
  }

  @Override
  public void removeAll() {
    requireOpen();
    Set<K> all = new HashSet<>();
    for (int segment = 0; segment < container.segments(); segment++) {
      container.keys(segment).forEachRemaining(all::add);
    }
    removeEach(all);
  }

  private void removeEach(Set<K> keys) {
    RuntimeException failure = null;
    if (source.writer() != null && !keys.isEmpty()) {
      Collection<K> undeleted = new ArrayList<>(keys);
      try {
        source.deleteAll(undeleted);
      } catch (RuntimeException e) {
        failure = e;
        keys.removeAll(Set.copyOf(undeleted));
      }
    }
    keys.forEach(key -> removeWritten(keyOf(key), false));
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void clear() {
    state.locks.lockAll();
    try {
      requireOpen();
      container.clear();
    } finally {
      state.locks.unlockAll();
    }
  }

  /// Removes entries that have ended, which nobody may ever ask for again.
  void purge() {
    Iterator<K> ended = container.expired(clock.millis());
    while (ended.hasNext() && !state.closed) {
      CacheKey<K> key = keyOf(ended.next());
      locked(key, () -> present(key, clock.millis()));
    }
  }

  // Processors.

  @Override
  public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    CacheKey<K> processed = keyOf(key);
    Objects.requireNonNull(processor, "processor");
    return locked(processed, () -> process(processed, processor, arguments));
  }

  private <T> @Nullable T process(
      CacheKey<K> key, EntryProcessor<K, V, T> processor, Object[] arguments) {
    long start = counters.start();
    long now = clock.millis();
    Held held = present(key, now);
    counters.lookup(held != null);
    var entry =
        new ProcessedEntry<>(key.key(), held == null ? null : container.value(held), source);
    T result;
    try {
      result = processor.process(entry, arguments);
    } catch (EntryProcessorException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new EntryProcessorException("the entry processor failed: cause=" + e, e);
    }
    apply(key, entry, held, now);
    counters.took(counters.getNanos, start);
    return result;
  }

  private void apply(CacheKey<K> key, ProcessedEntry<K, V> entry, @Nullable Held held, long now) {
    V value = entry.value();
    switch (entry.outcome()) {
      case UNTOUCHED -> {}
      case READ -> {
        if (held != null) {
          touch(key, held, now);
        }
      }
      case LOADED, CREATED, UPDATED -> {
        if (value != null) {
          if (entry.outcome() != ProcessedEntry.Outcome.LOADED) {
            source.write(key.key(), value);
          }
          set(key, value, held, now);
          counters.put();
        }
      }
      case REMOVED -> {
        source.delete(key.key());
        if (held != null) {
          removeHeld(key, held);
        }
      }
    }
  }

  @Override
  public <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    requireOpen();
    Objects.requireNonNull(processor, "processor");
    List<CacheKey<K>> all = new ArrayList<>();
    for (K key : keys) {
      all.add(keyOf(key));
    }
    Map<K, EntryProcessorResult<T>> results = new HashMap<>();
    for (CacheKey<K> key : all) {
      try {
        T result = invoke(key.key(), processor, arguments);
        if (result != null) {
          results.put(key.key(), new ProcessorResult<>(result, null));
        }
      } catch (EntryProcessorException e) {
        results.put(key.key(), new ProcessorResult<>(null, e));
      } catch (CacheException e) {
        results.put(
            key.key(),
            new ProcessorResult<>(null, new EntryProcessorException("not processed", e)));
      }
    }
    return results;
  }

  // Iteration.

  @Override
  public Iterator<Entry<K, V>> iterator() {
    requireOpen();
    return new EntryIterator<>(
        this::requireOpen, 0, container.segments(), container::keys, this::use, this::remove);
  }

  /// The value of a key, as one that is used; null if it is not there.
  private @Nullable V use(K key) {
    CacheKey<K> used = keyOf(key);
    long now = clock.millis();
    Held held = container.get(used);
    if (held == null || held.isExpired(now)) {
      return null;
    }
    counters.lookup(true);
    V value = container.value(held);
    long end = expiry.ofAccess(now, held.expiresAtMillis());
    if (end != held.expiresAtMillis()) {
      locked(used, () -> lengthen(used, end, now));
    }
    return value;
  }

  @Override
  public Iterator<Entry<K, V>> segment(int segment) {
    requireOpen();
    Objects.checkIndex(segment, container.segments());
    return new EntryIterator<>(
        this::requireOpen, segment, segment + 1, container::keys, this::look, this::remove);
  }

  private @Nullable V look(K key) {
    Held held = container.get(keyOf(key));
    return held == null || held.isExpired(clock.millis()) ? null : container.value(held);
  }

  @Override
  public long size() {
    requireOpen();
    return container.size();
  }

  @Override
  public int segments() {
    return container.segments();
  }

  @Override
  public int segmentOf(K key) {
    return container.segmentOf(keyOf(key));
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
    requireOpen();
    Objects.requireNonNull(configuration, "configuration");
    listeners.register(configuration);
    state.options.addCacheEntryListenerConfiguration(configuration);
  }

  @Override
  public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> configuration) {
    requireOpen();
    Objects.requireNonNull(configuration, "configuration");
    listeners.deregister(configuration);
    state.options.removeCacheEntryListenerConfiguration(configuration);
  }

  @Override
  public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
    if (type.isInstance(state.options)) {
      return type.cast(state.options);
    }
    throw new IllegalArgumentException("the configuration is no " + type.getName());
  }

  @Override
  public String getName() {
    return state.name;
  }

  @Override
  public CacheManager getCacheManager() {
    return state.manager;
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
    state.counters.turn(enabled);
    state.options.setStatisticsEnabled(enabled);
    ManagementBeans.show(
        this, ManagementBeans.Kind.STATISTICS, new StatisticsBean(state.counters), enabled);
  }

  void showConfiguration(boolean enabled) {
    requireOpen();
    state.options.setManagementEnabled(enabled);
    ManagementBeans.show(
        this, ManagementBeans.Kind.CONFIGURATION, new ConfigurationBean(state.options), enabled);
  }

  @Override
  public boolean isClosed() {
    return state.closed;
  }

  @Override
  public void close() {
    if (end()) {
      container.close();
      onClose.run();
    }
  }

  /// Closes the cache and removes its entries.
  void destroy() {
    if (end()) {
      container.destroy();
      onClose.run();
    }
  }

  /// Lets nobody use the cache any more.
  ///
  /// @return whether anybody could
  private boolean end() {
    state.locks.lockAll();
    try {
      if (state.closed) {
        return false;
      }
      showStatistics(false);
      showConfiguration(false);
      state.closed = true;
    } finally {
      state.locks.unlockAll();
    }
    state.executor.shutdown();
    listeners.close();
    state.source.close();
    Closing.close(expiry.policy());
    return true;
  }
}
