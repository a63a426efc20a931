package io.varve.cache;

import java.io.Serial;
import java.time.Duration;
import java.util.Objects;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListener;
import org.jspecify.annotations.Nullable;

/// How a listener hears of a cache: all that JCache knows, what is there already, and changes in
/// batches. Give it to `registerCacheEntryListener`, or to the [CacheOptions] of a cache that is to
/// have the listener from its beginning.
///
/// ```java
/// cache.registerCacheEntryListener(
///     new CacheListenerOptions<>(() -> listener)
///         .includeCurrentState(true)
///         .coalesce(1000, Duration.ofMillis(100)));
/// ```
///
/// Not for several threads concurrently, and not to be changed once it was given to a cache.
///
/// @param <K> the keys
/// @param <V> the values
/// @since 1.0
public final class CacheListenerOptions<K, V> extends MutableCacheEntryListenerConfiguration<K, V> {
  /// Keys that may wait unless said otherwise.
  public static final int WAITING_KEYS = 100_000;

  @Serial private static final long serialVersionUID = 1;

  private boolean includesCurrentState;
  private int batchEventsMax;
  private Duration delayMax = Duration.ZERO;
  private int waitingKeysMax = WAITING_KEYS;
  private WhenFull whenFull = WhenFull.WAIT;

  /// An asynchronous listener that is given no old values and no filter.
  public CacheListenerOptions(Factory<? extends CacheEntryListener<? super K, ? super V>> factory) {
    this(factory, null, false, false);
  }

  /// A listener as JCache describes it.
  ///
  /// @param filter makes the filter, or null for none
  public CacheListenerOptions(
      Factory<? extends CacheEntryListener<? super K, ? super V>> factory,
      @Nullable Factory<? extends CacheEntryEventFilter<? super K, ? super V>> filter,
      boolean isOldValueRequired,
      boolean isSynchronous) {
    super(factory, filter, isOldValueRequired, isSynchronous);
  }

  /// A copy of another configuration; what that does not know has its default.
  public CacheListenerOptions(CacheEntryListenerConfiguration<K, V> other) {
    super(other);
    if (other instanceof CacheListenerOptions<K, V> options) {
      includesCurrentState = options.includesCurrentState;
      batchEventsMax = options.batchEventsMax;
      delayMax = options.delayMax;
      waitingKeysMax = options.waitingKeysMax;
      whenFull = options.whenFull;
    }
  }

  /// Whether the listener is notified of what is there already.
  public boolean includesCurrentState() {
    return includesCurrentState;
  }

  /// Sets whether the listener is first notified of all entries that are there, as created events
  /// for which [VarveEvent#isCurrentState()] is true. Default: not.
  ///
  /// Registering it returns when all of them were notified, or, if the listener is not synchronous,
  /// the last of them are waiting for it: it waits for a listener that cannot keep up, unless it is
  /// called by a listener or within a change. Until then the cache is used as usual. Of each key
  /// the listener hears the entry that was there once at most, before all changes of that key that
  /// it hears of; changes of other keys may come between. An entry that is removed before the
  /// listener hears of it is not reported at all. So a map that does what the listener hears is
  /// what the cache is, except evictions and `clear`, of which JCache notifies no listener.
  public CacheListenerOptions<K, V> includeCurrentState(boolean includes) {
    includesCurrentState = includes;
    return this;
  }

  /// Whether changes are coalesced and delivered in batches.
  public boolean isCoalescing() {
    return batchEventsMax > 0;
  }

  /// The most events in a batch; 0 if changes are not coalesced.
  public int batchEventsMax() {
    return batchEventsMax;
  }

  /// How long a change may wait for others to share its batch.
  public Duration delayMax() {
    return delayMax;
  }

  /// Has changes delivered in batches, in each of which a key has one event at most: of several
  /// changes of a key that wait, the listener hears what they come to. One that was there before
  /// and is there after them is updated, and one that was not there and is there is created. One
  /// that was there and is not is removed or expired; of one that came and went it hears nothing.
  /// But it may have heard that such an entry was there, and hears that it went. So it is where
  /// entries were evicted or cleared, or changes were dropped or made under [Flag#SKIP_LISTENERS].
  /// An old value is the one before the first of them.
  ///
  /// A batch comes as one call for each kind of event in it. The changes of a key come in their
  /// order, batch after batch; within a batch the order of keys means nothing. For asynchronous
  /// listeners alone.
  ///
  /// @param eventsMax the most events in a batch; when so many wait, or as many as may
  ///   ([#waitingKeysMax]), it is delivered immediately
  /// @param delay how long a change waits for others; zero delivers what has gathered as soon as
  ///   the listener is done with the batch before
  public CacheListenerOptions<K, V> coalesce(int eventsMax, Duration delay) {
    if (eventsMax < 1 || delay.isNegative()) {
      throw new IllegalArgumentException(
          "eventsMax=" + eventsMax + ", delay=" + delay + ": must be above 0, and not below 0");
    }
    batchEventsMax = eventsMax;
    delayMax = delay;
    return this;
  }

  /// The most keys whose changes wait.
  public int waitingKeysMax() {
    return waitingKeysMax;
  }

  /// What happens when so many wait.
  public WhenFull whenFull() {
    return whenFull;
  }

  /// Bounds the keys whose coalesced changes wait for the listener. Default: [#WAITING_KEYS], and
  /// [WhenFull#WAIT].
  public CacheListenerOptions<K, V> waitingKeysMax(int keys, WhenFull behaviour) {
    if (keys < 1) {
      throw new IllegalArgumentException("keys=" + keys + ": must be above 0");
    }
    waitingKeysMax = keys;
    whenFull = Objects.requireNonNull(behaviour, "behaviour");
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CacheListenerOptions<?, ?> options
        && super.equals(other)
        && includesCurrentState == options.includesCurrentState
        && batchEventsMax == options.batchEventsMax
        && delayMax.equals(options.delayMax)
        && waitingKeysMax == options.waitingKeysMax
        && whenFull == options.whenFull;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        super.hashCode(), includesCurrentState, batchEventsMax, delayMax, waitingKeysMax, whenFull);
  }
}
