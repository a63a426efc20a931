package io.varve.grid.guard.memcached;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.varve.grid.guard.connection.Limits;
import io.varve.grid.guard.connection.PrivateField;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.infinispan.AdvancedCache;
import org.infinispan.Cache;
import org.infinispan.cache.impl.AbstractDelegatingAdvancedCache;
import org.infinispan.commons.CacheException;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.metadata.Metadata;
import org.infinispan.server.memcached.MemcachedServer;
import org.jspecify.annotations.Nullable;

/// The cache of a server of memcached, whose values do not grow beyond the longest request
/// (BOUND-1). `append` and `prepend` are refused where the value would be longer.
///
/// (ANSWER-1) A `get` of many keys is answered with a failure if all of its values are longer than
/// an answer may be. The keys may all be one. Infinispan copies all of them first. Each connection
/// has its own of these, and asks for all keys of a request in one task of its event loop.
public final class MemcachedValues<K, V> extends AbstractDelegatingAdvancedCache<K, V> {
  /// Infinispan publishes no way to set it. A version without it does not start.
  private static final VarHandle CACHE =
      PrivateField.of(MemcachedServer.class, "memcachedCache", Cache.class);

  private final Limits limits;
  private final long valueBytesMax;

  /// What the request has asked for that is carried out in this task of the event loop.
  private @Nullable Answer answer;

  private MemcachedValues(AdvancedCache<K, V> cache, Limits limits) {
    super(cache);
    this.limits = limits;
    this.valueBytesMax = limits.valueBytesMax();
  }

  /// BOUND-1
  static final class TooLong extends CacheException {
    private static final long serialVersionUID = 1L;

    private TooLong() {
      super("the value would be longer than --value-max");
    }
  }

  /// The length of the values of one answer.
  private static final class Answer {
    private final AtomicLong bytes = new AtomicLong();

    <E extends @Nullable CacheEntry<?, ?>> E add(E entry, long bytesMax) {
      long length = entry == null ? 0 : length(entry.getValue());
      if (bytes.addAndGet(length) > Math.max(bytesMax, length)) {
        throw new CacheException(
            "the answer would be longer than " + bytesMax + " bytes: name fewer keys");
      }
      return entry;
    }
  }

  /// Bounds the values that connections of a server write, which are to come. Does nothing the
  /// second time, and before the server has a cache.
  public static void bound(MemcachedServer server, Limits limits) {
    Cache<Object, Object> cache = server.getCache();
    if (cache != null && !(cache instanceof MemcachedValues)) {
      CACHE.compareAndSet(server, cache, new MemcachedValues<>(cache.getAdvancedCache(), limits));
    }
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // as Infinispan declares it
  public AdvancedCache rewrap(AdvancedCache cache) {
    return new MemcachedValues<>(cache, limits);
  }

  /// ANSWER-1
  @Override
  public CompletableFuture<CacheEntry<K, V>> getCacheEntryAsync(Object key) {
    CompletableFuture<CacheEntry<K, V>> read =
        super.getCacheEntryAsync(key).thenApply(MemcachedValues::unlessOver);
    EventExecutor loop = ThreadExecutorMap.currentExecutor();
    if (loop == null) {
      return read;
    }
    Answer ofRequest = answer;
    if (ofRequest == null) {
      ofRequest = new Answer();
      answer = ofRequest;
      loop.execute(() -> answer = null);
    }
    Answer counted = ofRequest;
    return read.thenApply(entry -> counted.add(entry, limits.replyBytesMax()));
  }

  /// An item whose time was over when it was written (MEMCACHED-10), which Infinispan has until its
  /// clock shows another millisecond, is none.
  @SuppressWarnings("NullAway") // Infinispan does not state that it may be null.
  private static <K, V> @Nullable CacheEntry<K, V> unlessOver(@Nullable CacheEntry<K, V> entry) {
    return entry == null || entry.getLifespan() == 0 ? null : entry;
  }

  @Override
  public CompletableFuture<Boolean> replaceAsync(K key, V old, V value, Metadata metadata) {
    return length(value) > Math.max(valueBytesMax, length(old))
        ? CompletableFuture.failedFuture(new TooLong())
        : super.replaceAsync(key, old, value, metadata);
  }

  private static long length(Object value) {
    return value instanceof byte[] bytes ? bytes.length : 0;
  }
}
