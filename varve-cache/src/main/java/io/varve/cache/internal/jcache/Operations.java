package io.varve.cache.internal.jcache;

import io.varve.cache.CacheFullException;
import io.varve.cache.Flag;
import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import io.varve.cache.internal.container.Held;
import io.varve.cache.internal.container.Turn;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/// What the calls of a cache, or of a view that has flags, are made of.
///
/// Each change of a key happens in a turn for it: what is there is looked at, the writer is called,
/// the container changes, listeners are notified. A read takes a turn only if it changes something,
/// since the entry is missing, has expired, or lives longer when it is used.
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

  /// What counts, or what nobody looks at.
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
    return container.value(held);
  }

  /// The value that a call returns: null if nobody wants it.
  @Nullable V returned(@Nullable Held held) {
    return held == null || flags.contains(Flag.IGNORE_RETURN_VALUES) ? null : valueOf(held);
  }

  // Turns.

  /// Runs a change of a key in a turn for it.
  <T extends @Nullable Object> T change(CacheKey<K> key, Function<Turn<K>, T> change) {
    return outermost(() -> {
      T result;
      try (Turn<K> turn = take(key)) {
        requireOpen();
        result = change.apply(turn);
        forceIfAsked(turn);
      }
      container.settle();
      return result;
    });
  }

  /// Runs a change; unless it is part of another, waits then for listeners that cannot keep up.
  private <T extends @Nullable Object> T outermost(Supplier<T> change) {
    if (!Nesting.enter()) {
      return change.get();
    }
    try {
      return change.get();
    } finally {
      // Of other caches, too, that were changed within; and even if the change failed after.
      Nesting.leave().forEach(Delivery::awaitCapacity);
    }
  }

  /// Runs a change of several different keys in turns for all of them.
  <T extends @Nullable Object> T changeAll(
      Collection<CacheKey<K>> keys, Function<List<Turn<K>>, T> change) {
    return outermost(() -> {
      T result;
      List<Turn<K>> turns = state.open().locks().takeAll(keys, this::take);
      try {
        requireOpen();
        result = change.apply(turns);
        turns.forEach(this::forceIfAsked);
      } finally {
        turns.forEach(Turn::close);
      }
      container.settle();
      return result;
    });
  }

  private void forceIfAsked(Turn<K> turn) {
    if (flags.contains(Flag.FORCE_SYNCHRONOUS)) {
      container.force(turn);
    }
  }

  private Turn<K> take(CacheKey<K> key) {
    if (!flags.contains(Flag.ZERO_LOCK_WAIT)) {
      return state.open().locks().take(key);
    }
    Turn<K> turn = state.open().locks().tryTake(key);
    if (turn == null) {
      throw new CacheException(
          "another thread is changing the key: cache="
              + state.name()
              + "; try again, or without ZERO_LOCK_WAIT");
    }
    return turn;
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
    return held != null ? held : change(key, turn -> container.get(turn.key()));
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

  private @Nullable V findOrLoad(Turn<K> turn) {
    long now = nowMillis();
    Held held = present(turn, now);
    counters.lookup(held != null);
    if (held != null) {
      V value = valueOf(held);
      container.used(turn.key(), touch(turn, held), value);
      return value;
    }
    V loaded = source.read(turn.key().key());
    if (loaded != null) {
      keep(turn, loaded, now);
    }
    return loaded;
  }

  /// Keeps a value that was loaded, if there is capacity: who reads it has it anyway.
  private void keep(Turn<K> turn, V loaded, long now) {
    try {
      set(turn, loaded, null, now);
    } catch (CacheFullException e) {
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
      boolean isSame = change(key, turn -> lengthen(turn, held, end));
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
      change(key, turn -> lengthen(turn, held, end));
    }
    return value;
  }

  /// Gives an entry that was used another end, unless it was changed concurrently.
  private boolean lengthen(Turn<K> turn, Held used, long end) {
    Held held = container.get(turn.key());
    boolean isSame = held != null && container.isSame(held, used);
    if (isSame) {
      container.expireAt(turn, end);
    }
    return isSame;
  }

  // Changes.

  /// What is there for a key; what has ended is removed.
  @Nullable Held present(Turn<K> turn, long now) {
    Held held = container.get(turn.key());
    if (held == null || !held.isExpired(now)) {
      return held;
    }
    expire(turn, held);
    return null;
  }

  private void expire(Turn<K> turn, Held held) {
    List<Registration<K, V>> hearing = hearing(EventType.EXPIRED, turn);
    container.expire(turn);
    counters.count(counters.expiries, 1);
    listeners.tellGone(hearing, EventType.EXPIRED, turn.key(), () -> valueOf(held));
  }

  /// Removes an entry if it has ended, unless somebody is changing it.
  ///
  /// @return whether it was looked at
  boolean purge(K key) {
    return outermost(() -> {
      boolean looked;
      try (Turn<K> turn = state.open().locks().tryTake(keyOf(key))) {
        looked = turn != null;
        if (turn != null) {
          present(turn, nowMillis());
        }
      }
      container.settle();
      return looked;
    });
  }

  /// Sets the value of a key.
  ///
  /// @param held what is there
  /// @return whether the value is there now, and did not end immediately
  boolean set(Turn<K> turn, V value, @Nullable Held held, long now) {
    return set(turn, value, held, now, expiry);
  }

  /// Sets the value of a key, whose end another policy decides.
  boolean set(Turn<K> turn, V value, @Nullable Held held, long now, Expiry expiry) {
    long end = held == null ? expiry.ofCreation(now) : expiry.ofUpdate(now, held.expiresAtMillis());
    if (end <= now) {
      if (held != null) {
        expire(turn, held);
      }
      return false;
    }
    putOrDrop(turn, value, held, end);
    if (flags.contains(Flag.SKIP_LISTENERS)) {
      listeners.missChanges();
    } else {
      listeners.tellChanged(turn.key(), value, held == null ? null : () -> valueOf(held));
    }
    return true;
  }

  /// Puts a value. If there is no capacity for it and the source has it already, the entry goes
  /// that the source has no more.
  private void putOrDrop(Turn<K> turn, V value, @Nullable Held held, long end) {
    try {
      container.put(turn, value, end);
    } catch (CacheFullException e) {
      if (held != null && source.writer() != null) {
        remove(turn, held);
      }
      throw e;
    }
  }

  void remove(Turn<K> turn, Held held) {
    List<Registration<K, V>> hearing = hearing(EventType.REMOVED, turn);
    container.remove(turn);
    listeners.tellGone(hearing, EventType.REMOVED, turn.key(), () -> valueOf(held));
    counters.removal();
  }

  private List<Registration<K, V>> hearing(EventType type, Turn<K> turn) {
    if (flags.contains(Flag.SKIP_LISTENERS)) {
      listeners.missChanges();
      return List.of();
    }
    return listeners.hearing(type, turn.key());
  }

  /// Notes the use of an entry in a turn for it.
  ///
  /// @return the entry with the end that it has now
  Held touch(Turn<K> turn, Held held) {
    long end = expiry.ofAccess(state.clock(), held.expiresAtMillis());
    if (end == held.expiresAtMillis()) {
      return held;
    }
    container.expireAt(turn, end);
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
        change(keyOf(keys.next()), turn -> replay(listener, turn));
      }
      replay.done(range);
    }
    listener.replay(null);
  }

  private boolean replay(Registration<K, V> listener, Turn<K> turn) {
    Held held;
    try {
      held = present(turn, nowMillis());
    } catch (CacheEntryListenerException e) {
      // The entry has gone, and it is another listener that failed: this one hears what is there.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a listener failed on an expired entry: cache=" + state.name(),
          e);
      return false;
    }
    if (held != null) {
      listeners.tellCurrent(listener, turn.key(), () -> valueOf(held));
    }
    return held != null;
  }
}
