package io.varve.cache.internal.jcache;

import io.varve.StoreFullException;
import io.varve.cache.CacheFullException;
import io.varve.cache.Flag;
import io.varve.cache.UnreadableEntryException;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.KeyLock;
import io.varve.cache.internal.container.NewValue;
import io.varve.spi.StackReserve;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// What the calls of a cache, or of a view that has flags, are made of.
///
/// Each change of a key happens under its lock: what is there is looked at, the writer is called,
/// the container changes, listeners are notified. A read takes the lock only if it changes
/// something, since the entry is missing, has expired, or lives longer when it is used.
///
/// (WT-1) A key whose change the writer has made has the new value in the cache, or none. So a
/// value is marshalled before the writer is called, and the key is removed if its change fails
/// after. Listeners hear of changes that are made: where one fails, the new value stays.
final class Operations<K, V> {
  private static final System.Logger LOGGER = System.getLogger(Operations.class.getName());

  private final CacheState<K, V> state;
  private final Listeners<K, V> listeners;
  private final Set<Flag> flags;
  private final Container<K, V> container;
  private final Expiry expiry;
  private final Source<K, V> source;
  private final Counters counters;

  /// @param expiry decides when entries end that these calls set or use
  Operations(CacheState<K, V> state, Listeners<K, V> listeners, Set<Flag> flags, Expiry expiry) {
    this.state = state;
    this.listeners = listeners;
    this.flags = flags;
    this.expiry = expiry;
    this.container = state.open().container();
    this.counters = flags.contains(Flag.SKIP_STATISTICS) ? Counters.NONE : state.counters();
    this.source =
        flags.contains(Flag.SKIP_STORE) ? Source.none() : state.source().countedBy(counters);
  }

  /// Its loader and writer, or none.
  Source<K, V> source() {
    return source;
  }

  /// What counts, or what no caller looks at.
  Counters counters() {
    return counters;
  }

  void requireOpen() {
    state.requireOpen();
  }

  long nowMillis() {
    return state.clock().millis();
  }

  CacheKey<K> keyOf(K key) {
    requireOpen();
    return new CacheKey<>(Objects.requireNonNull(key, "key"), state.open().keys());
  }

  V valueOf(Held held) {
    try {
      return container.value(held);
    } catch (CacheException e) { // of the marshaller
      throw new UnreadableEntryException(Objects.toString(e.getMessage(), e.toString()), e);
    }
  }

  /// The value that a call returns: null if the caller does not want it.
  @Nullable V returned(@Nullable Held held) {
    return held == null || flags.contains(Flag.IGNORE_RETURN_VALUES) ? null : valueOf(held);
  }

  // Locks of keys.

  /// Runs a change of a key under its lock.
  <T extends @Nullable Object> T change(CacheKey<K> key, Function<KeyLock<K>, T> change) {
    return outermost(() -> {
      T result;
      try (KeyLock<K> lock = lock(key)) {
        requireOpen();
        result = change.apply(lock);
        forceIfAsked(lock);
      }
      container.settle();
      return result;
    });
  }

  /// Runs a change; unless it is part of another, waits then for listeners and writers that cannot
  /// keep up. A caller that has recursed too deep fails before it has an effect. Otherwise a lock
  /// of a key or the gate could stay held, and a close would wait for it without end (STACK-1).
  private <T extends @Nullable Object> T outermost(Supplier<T> change) {
    StackReserve.require();
    if (!Nesting.enter()) {
      return change.get();
    }
    try {
      return change.get();
    } finally {
      // Of other caches, too, that were changed within; and even if the change failed after.
      Nesting.leave().forEach(Backpressure::awaitCapacity);
    }
  }

  /// Runs a change of each of several keys, each under its lock. Waits for the disk once, at the
  /// end.
  void changeEach(Iterator<K> keys, Consumer<KeyLock<K>> change) {
    try {
      while (keys.hasNext()) {
        change(
            keyOf(keys.next()),
            lock -> {
              lock.waitLater();
              change.accept(lock);
              return true;
            });
      }
    } finally {
      container.awaitChanges();
    }
  }

  /// Runs a change of several different keys under the locks of all of them. Waits for the disk
  /// once, at the end.
  <T extends @Nullable Object> T changeAll(
      Collection<CacheKey<K>> keys, Function<List<KeyLock<K>>, T> change) {
    return outermost(() -> {
      T result;
      List<KeyLock<K>> locks = state.open().locks().lockAll(keys, this::lock, waitsForLocks());
      try {
        requireOpen();
        locks.forEach(KeyLock::waitLater);
        try {
          result = change.apply(locks);
        } finally {
          container.awaitChanges();
        }
        locks.forEach(this::forceIfAsked);
      } finally {
        locks.forEach(KeyLock::close);
      }
      container.settle();
      return result;
    });
  }

  private void forceIfAsked(KeyLock<K> lock) {
    if (flags.contains(Flag.FORCE_SYNCHRONOUS)) {
      container.force(lock);
    }
  }

  private boolean waitsForLocks() {
    return !flags.contains(Flag.ZERO_LOCK_WAIT);
  }

  private KeyLock<K> lock(CacheKey<K> key) {
    if (waitsForLocks()) {
      return state.open().locks().lock(key);
    }
    KeyLock<K> lock = state.open().locks().tryLock(key);
    if (lock == null) {
      throw new CacheException(
          "another thread is changing the key: cache="
              + state.name()
              + "; try again, or without ZERO_LOCK_WAIT");
    }
    return lock;
  }

  // Reads.

  /// Whether an entry has ended. The clock is read only for those that have an end.
  boolean isExpired(Held held) {
    return held.expiresAtMillis() != Held.NEVER && held.isExpired(nowMillis());
  }

  /// When an entry ends; [Instant#MAX] if it has no end.
  static Instant endOf(Held held) {
    return held.expiresAtMillis() == Held.NEVER
        ? Instant.MAX
        : Instant.ofEpochMilli(held.expiresAtMillis());
  }

  /// What is there for a key, expired or not.
  @Nullable Held look(CacheKey<K> key) {
    Held held = container.get(key);
    return held != null ? held : change(key, lock -> container.get(lock.key()));
  }

  /// The value of a key, loaded if it is not there.
  @Nullable V find(CacheKey<K> key) {
    Held held = container.get(key);
    if (held == null || isExpired(held)) {
      return change(key, this::findOrLoad);
    }
    counters.lookup(true);
    return use(key, held);
  }

  private @Nullable V findOrLoad(KeyLock<K> lock) {
    Held held = present(lock, nowMillis());
    counters.lookup(held != null);
    if (held != null) {
      V value = valueOf(held);
      container.used(lock.key(), touch(lock, held), value);
      return value;
    }
    V loaded = source.read(lock.key().key());
    if (loaded != null) {
      keep(lock, loaded);
    }
    return loaded;
  }

  /// Keeps a value that was loaded, if there is capacity: the caller that reads it has it anyway.
  private void keep(KeyLock<K> lock, V loaded) {
    try {
      setNow(lock, newValue(lock, loaded), null);
    } catch (CacheFullException | StoreFullException e) {
      LOGGER.log(System.Logger.Level.DEBUG, "a loaded value is not kept: cache=" + state.name(), e);
    }
  }

  /// The value of an entry that is used.
  V use(CacheKey<K> key, Held held) {
    V value = valueOf(held);
    long end = expiry.ofAccess(state.clock(), held.expiresAtMillis());
    if (end == held.expiresAtMillis()) {
      container.used(key, held, value);
    } else {
      boolean isSame = change(key, lock -> lengthen(lock, held, end));
      if (isSame) {
        container.used(key, held.endingAt(end), value);
      }
    }
    return value;
  }

  /// The value of an entry that an iteration passes: it was used, but is not brought to the heap,
  /// from where one pass over all would drive what is used often.
  V pass(CacheKey<K> key, Held held) {
    V value = valueOf(held);
    long end = expiry.ofAccess(state.clock(), held.expiresAtMillis());
    if (end != held.expiresAtMillis()) {
      change(key, lock -> lengthen(lock, held, end));
    }
    return value;
  }

  /// Gives an entry that was used another end, unless it was changed concurrently.
  private boolean lengthen(KeyLock<K> lock, Held used, long end) {
    Held held = container.get(lock.key());
    boolean isSame = held != null && container.isSame(held, used);
    if (isSame) {
      container.expireAt(lock, end);
    }
    return isSame;
  }

  // Changes.

  /// What is there for a key; what has ended is removed.
  @Nullable Held present(KeyLock<K> lock, long now) {
    Held held = container.get(lock.key());
    if (held == null || !held.isExpired(now)) {
      return held;
    }
    expire(lock, held);
    return null;
  }

  private void expire(KeyLock<K> lock, Held held) {
    List<Registration<K, V>> hearing = hearing(EventType.EXPIRED, lock);
    container.expire(lock);
    counters.count(counters.expiries, 1);
    listeners.tellGone(hearing, EventType.EXPIRED, lock.key(), () -> valueOf(held));
  }

  /// Removes an entry if it has ended, unless another thread is changing it.
  ///
  /// @return whether it was looked at
  boolean purge(K key) {
    return outermost(() -> {
      boolean looked;
      try (KeyLock<K> lock = state.open().locks().tryLock(keyOf(key))) {
        looked = lock != null;
        if (lock != null) {
          present(lock, nowMillis());
        }
      }
      container.settle();
      return looked;
    });
  }

  /// Makes a value ready to be set.
  NewValue<V> newValue(KeyLock<K> lock, V value) {
    return container.newValue(lock.key(), value);
  }

  /// Gives a value to the writer, if there is one, and then changes the cache (WT-1).
  <T extends @Nullable Object> T write(KeyLock<K> lock, V value, Function<NewValue<V>, T> change) {
    NewValue<V> made = newValue(lock, value);
    source.write(lock.key().key(), value);
    return afterSource(lock, () -> change.apply(made));
  }

  /// Makes a change that the writer, if there is one, has made already (WT-1).
  <T extends @Nullable Object> T afterSource(KeyLock<K> lock, Supplier<T> change) {
    try {
      return change.get();
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (source.writer() != null) {
        drop(lock, e);
      }
      throw e;
    }
  }

  /// Removes what is there for a key since a change of it failed.
  private void drop(KeyLock<K> lock, Throwable failure) {
    try {
      Held held = container.get(lock.key());
      if (held != null) {
        remove(lock, held);
      }
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /// Sets the value of a key after a loader, a writer or a processor has run. Its time begins now,
  /// and what was there may have ended since.
  ///
  /// @param held what was there before
  /// @return whether the value is there now, and did not end immediately
  boolean setNow(KeyLock<K> lock, NewValue<V> value, @Nullable Held held) {
    long now = nowMillis();
    Held still = held != null && held.isExpired(now) ? present(lock, now) : held;
    return set(lock, value, still, now);
  }

  /// Sets the value of a key.
  ///
  /// @param held what is there
  /// @return whether the value is there now, and did not end immediately
  boolean set(KeyLock<K> lock, NewValue<V> value, @Nullable Held held, long now) {
    return set(lock, value, held, now, expiry);
  }

  /// Sets the value of a key, whose end another policy decides.
  boolean set(KeyLock<K> lock, NewValue<V> value, @Nullable Held held, long now, Expiry expiry) {
    long end = held == null ? expiry.ofCreation(now) : expiry.ofUpdate(now, held.expiresAtMillis());
    if (end <= now) {
      if (held != null) {
        expire(lock, held);
      }
      return false;
    }
    container.put(lock, value, end);
    if (flags.contains(Flag.SKIP_LISTENERS)) {
      listeners.missChanges();
    } else {
      listeners.tellChanged(lock.key(), value.value(), held == null ? null : () -> valueOf(held));
    }
    return true;
  }

  void remove(KeyLock<K> lock, Held held) {
    List<Registration<K, V>> hearing = hearing(EventType.REMOVED, lock);
    container.remove(lock);
    listeners.tellGone(hearing, EventType.REMOVED, lock.key(), () -> valueOf(held));
    counters.removal();
  }

  /// Removes an entry that cannot be read. The source has what it has.
  boolean removeUnreadable(CacheKey<K> key) {
    return change(
        key,
        lock -> {
          Held held = present(lock, nowMillis());
          UnreadableEntryException failure = held == null ? null : failureOf(held);
          if (failure == null) {
            return false;
          }
          // No trace: a class that was renamed may have a hundred thousand entries.
          LOGGER.log(
              System.Logger.Level.WARNING,
              "an entry that cannot be read is removed: cache="
                  + state.name()
                  + ", reason="
                  + failure.getMessage());
          LOGGER.log(System.Logger.Level.DEBUG, "where it was read", failure);
          List<Registration<K, V>> hearing = hearing(EventType.REMOVED, lock);
          container.remove(lock);
          listeners.tellGone(hearing, EventType.REMOVED, lock.key(), () -> null);
          counters.removal();
          return true;
        });
  }

  /// Why an entry cannot be read; null if it can.
  private @Nullable UnreadableEntryException failureOf(Held held) {
    try {
      valueOf(held);
      return null;
    } catch (UnreadableEntryException e) {
      return e;
    }
  }

  private List<Registration<K, V>> hearing(EventType type, KeyLock<K> lock) {
    if (flags.contains(Flag.SKIP_LISTENERS)) {
      listeners.missChanges();
      return List.of();
    }
    return listeners.hearing(type, lock.key());
  }

  /// Notes the use of an entry under the lock of its key.
  ///
  /// @return the entry with the end that it has now
  Held touch(KeyLock<K> lock, Held held) {
    long end = expiry.ofAccess(state.clock(), held.expiresAtMillis());
    if (end == held.expiresAtMillis()) {
      return held;
    }
    container.expireAt(lock, end);
    return held.endingAt(end);
  }

  /// Notifies a listener that was just registered of what is there, if it wants to hear.
  void replay(Registration<K, V> listener) {
    Replay<K> replay = listener.replay();
    if (replay == null) {
      return;
    }
    for (int range = 0; range < replay.ranges(); range++) {
      Iterator<K> keys = replay.keysOf(range);
      while (!listener.isClosed() && keys.hasNext()) {
        change(keyOf(keys.next()), lock -> replay(listener, lock));
      }
      replay.done(range);
    }
    listener.replay(null);
  }

  private boolean replay(Registration<K, V> listener, KeyLock<K> lock) {
    Held held;
    try {
      held = present(lock, nowMillis());
    } catch (CacheEntryListenerException e) {
      // The entry has gone, and it is another listener that failed: this one hears what is there.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a listener failed on an expired entry: cache=" + state.name(),
          e);
      return false;
    }
    if (held != null) {
      listeners.tellCurrent(listener, lock.key(), () -> valueOf(held));
    }
    return held != null;
  }
}
