package io.varve.cache.internal.jcache;

import io.varve.cache.CacheListenerOptions;
import io.varve.cache.CacheOptions;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// The listeners of a cache. They are notified while the key's lock is held, so each hears of the
/// changes of a key in their order. Safe for threads.
final class Listeners<K, V> implements AutoCloseable {
  private final Cache<K, V> cache;
  private final Container<K, V> container;
  private final CacheOptions<K, V> options;
  private final Counters counters;
  private final Executor executor;

  /// Held while the listeners, and those that the options list, change together.
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Registration<K, V>> registrations =
      new CopyOnWriteArrayList<>(); // written under the lock

  /// The listeners that are being made. Guarded by the lock.
  private final Set<Begun<K, V>> begun = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean closed; // guarded by the lock

  /// Whether entries have come or gone without an event. Never false again.
  private volatile boolean missedChanges;

  /// One making of a listener: another may begin with the same configuration once this one is
  /// deregistered.
  private record Begun<K, V>(CacheEntryListenerConfiguration<K, V> configuration) {}

  /// @param options list the listeners of the cache, for a caller that asks for its configuration
  Listeners(
      Cache<K, V> cache,
      Container<K, V> container,
      CacheOptions<K, V> options,
      Counters counters,
      Executor executor) {
    this.cache = cache;
    this.container = container;
    this.options = options;
    this.counters = counters;
    this.executor = executor;
  }

  /// Notes that entries come or go without an event. Before they do.
  void missChanges() {
    if (!missedChanges) {
      missedChanges = true;
    }
  }

  /// Whether a listener may believe in an entry that is there no more, so that its key may come
  /// again without having gone.
  private boolean isAnyStale() {
    return missedChanges || counters.evictions.total() > 0 || counters.droppedEvents.total() > 0;
  }

  /// Registers a listener, which hears of changes from now on. Its factories run without the lock:
  /// they may wait for another thread that registers one.
  ///
  /// @return it; its replay is under way if it is to hear of what is there. One that was
  ///   deregistered while it was made is closed
  /// @throws IllegalArgumentException if there is an equal one
  Registration<K, V> register(CacheEntryListenerConfiguration<K, V> configuration) {
    Begun<K, V> making = begin(configuration);
    Registration<K, V> made = null;
    boolean done = false;
    try {
      made = new Registration<>(configuration, executor, counters.droppedEvents, this::isAnyStale);
      done = isAdded(making, made);
      return made;
    } finally {
      if (!done) {
        leaveOut(making, made);
      }
    }
  }

  /// Notes a listener that is about to be made, so that an equal one is not made as well.
  private Begun<K, V> begin(CacheEntryListenerConfiguration<K, V> configuration) {
    lock.lock();
    try {
      if (closed) {
        throw closed();
      }
      if (registrations.stream().anyMatch(each -> isSame(each.configuration(), configuration))
          || begun.stream().anyMatch(each -> isSame(each.configuration(), configuration))) {
        throw new IllegalArgumentException("the listener is registered: cache=" + cache.getName());
      }
      Begun<K, V> making = new Begun<>(configuration);
      begun.add(making);
      return making;
    } finally {
      lock.unlock();
    }
  }

  /// Adds a listener that was begun, unless it was deregistered since.
  ///
  /// @return whether it was added
  /// @throws IllegalStateException if the cache was closed while it was made
  private boolean isAdded(Begun<K, V> making, Registration<K, V> made) {
    CacheEntryListenerConfiguration<K, V> configuration = made.configuration();
    lock.lock();
    try {
      if (closed) {
        throw closed();
      }
      if (!begun.remove(making)) {
        return false;
      }
      if (configuration instanceof CacheListenerOptions<K, V> wishes
          && wishes.includesCurrentState()) {
        made.replay(new Replay<>(container));
      }
      if (!isListed(configuration)) { // those that a cache is made with are
        options.addCacheEntryListenerConfiguration(configuration);
      }
      registrations.add(made);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void leaveOut(Begun<K, V> making, @Nullable Registration<K, V> made) {
    lock.lock();
    try {
      begun.remove(making);
    } finally {
      lock.unlock();
    }
    if (made != null) {
      made.close();
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException("the cache is closed: cache=" + cache.getName());
  }

  /// A configuration with fewer properties may find itself equal to one with more.
  private static boolean isSame(Object one, Object other) {
    return one.equals(other) && other.equals(one);
  }

  private boolean isListed(CacheEntryListenerConfiguration<K, V> configuration) {
    for (Object each : options.getCacheEntryListenerConfigurations()) {
      if (isSame(each, configuration)) {
        return true;
      }
    }
    return false;
  }

  /// Notifies a listener of nothing more, also one whose factories run: they may wait for another
  /// thread, so it is closed by the thread that makes it.
  void deregister(CacheEntryListenerConfiguration<K, V> configuration) {
    lock.lock();
    try {
      if (begun.removeIf(each -> isSame(each.configuration(), configuration))) {
        options.removeCacheEntryListenerConfiguration(configuration); // if it was listed before
      }
    } finally {
      lock.unlock();
    }
    registrations.stream()
        .filter(each -> isSame(each.configuration(), configuration))
        .forEach(this::deregister);
  }

  /// Notifies a listener of nothing more, unless that was done.
  void deregister(Registration<K, V> registration) {
    boolean removed;
    lock.lock();
    try {
      removed = registrations.remove(registration);
      if (removed) {
        options.removeCacheEntryListenerConfiguration(registration.configuration());
      }
    } finally {
      lock.unlock();
    }
    if (removed) {
      registration.close();
    }
  }

  /// Notifies all listeners that want to hear of an entry that came or changed. Under the lock of
  /// its key, when it is there: a listener that registers later finds it there.
  ///
  /// @param oldValue of the entry before, asked for if a listener hears of it; null if it came
  void tellChanged(CacheKey<K> key, V value, @Nullable Supplier<V> oldValue) {
    EventType type = oldValue == null ? EventType.CREATED : EventType.UPDATED;
    V before = null;
    for (Registration<K, V> each : registrations) {
      if (each.wants(type)) {
        Replay<K> replay = each.replay();
        boolean hearsOfKey = replay == null || !replay.tell(key);
        // It takes a read of bytes and an object of them, which most listeners do not ask for.
        if (before == null && oldValue != null && (each.isOldValueRequired() || !hearsOfKey)) {
          before = oldValue.get();
        }
        if (!hearsOfKey && before != null) {
          each.tell(Event.ofCurrentState(cache, key.key(), before)); // first what was there
        }
        V reported = each.isOldValueRequired() ? before : null;
        each.tell(new Event<>(cache, type, key.key(), value, reported));
      }
    }
  }

  /// Those that are to hear that an entry goes: one that has not heard that it is there is not
  /// notified. Asked for under the lock of its key before it goes: when it has gone, the walk of a
  /// replay may pass where it was, and a listener that registers does not find it.
  List<Registration<K, V>> hearing(EventType type, CacheKey<K> key) {
    if (registrations.isEmpty()) {
      return List.of();
    }
    List<Registration<K, V>> hearing = new ArrayList<>();
    for (Registration<K, V> each : registrations) {
      Replay<K> replay = each.replay();
      if (each.wants(type) && (replay == null || replay.isReported(key))) {
        hearing.add(each);
      }
    }
    return hearing;
  }

  /// Notifies of an entry that went, under the same lock.
  ///
  /// @param oldValue asked for if a listener hears of it; gives null if it cannot be read
  void tellGone(
      List<Registration<K, V>> hearing,
      EventType type,
      CacheKey<K> key,
      Supplier<? extends @Nullable V> oldValue) {
    V before = null;
    for (Registration<K, V> each : hearing) {
      if (before == null && each.isOldValueRequired()) {
        before = oldValue.get();
      }
      V reported = each.isOldValueRequired() ? before : null;
      // Of what is gone, JCache shows the old value as the value, too.
      each.tell(new Event<>(cache, type, key.key(), reported, reported));
    }
  }

  /// Notifies a listener of an entry that is there, unless it was notified. Under the lock of the
  /// key.
  void tellCurrent(Registration<K, V> listener, CacheKey<K> key, Supplier<V> value) {
    Replay<K> replay = listener.replay();
    if (replay != null && replay.tell(key)) {
      listener.tell(Event.ofCurrentState(cache, key.key(), value.get()));
      Nesting.reported(listener.delivery()); // the replay waits, however changes are kept
    }
  }

  @Override
  public void close() {
    List<Registration<K, V>> last;
    lock.lock();
    try {
      closed = true;
      last = List.copyOf(registrations);
      registrations.clear();
    } finally {
      lock.unlock();
    }
    last.forEach(Registration::close);
  }
}
