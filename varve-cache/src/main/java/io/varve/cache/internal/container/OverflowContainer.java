package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.varve.VarveException;
import io.varve.cache.Marshaller;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterators;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Entries on the heap while they are used, and in pages once the heap evicts them.
///
/// (O1) An entry is in one of the two places: it moves inside the atomic step that Caffeine has for
/// a key, from which eviction is reported, too.
///
/// @param <K> the keys
/// @param <V> the values
public final class OverflowContainer<K, V> implements Container<K, V> {
  private static final System.Logger LOGGER = System.getLogger(OverflowContainer.class.getName());

  private final PagesContainer<K, V> pages;
  private final ValueForm<V> valueForm;
  private final KeyCopies<K> copies;
  private final Marshaller<K> keyMarshaller;
  private final Cache<K, Held> heap;
  private final SegmentCounts counts;
  private final LongAdder lost;

  /// Puts a heap before pages.
  ///
  /// @param lost counted up for each evicted entry that the store refused
  public OverflowContainer(
      PagesContainer<K, V> pages,
      HeapBound bound,
      KeyCopies<K> copies,
      ValueForm<V> valueForm,
      Marshaller<K> keyMarshaller,
      LongAdder lost) {
    this.pages = pages;
    this.copies = copies;
    this.valueForm = valueForm;
    this.keyMarshaller = keyMarshaller;
    this.lost = lost;
    this.counts = new SegmentCounts(pages.segments());
    this.heap = bound.newCache(valueForm, this::evicted);
  }

  private void evicted(@Nullable K key, @Nullable Held held, RemovalCause cause) {
    if (key == null || held == null) {
      return;
    }
    CacheKey<K> evicted = new CacheKey<>(key, keyMarshaller);
    counts.add(segmentOf(evicted), -1);
    try {
      pages.put(evicted, value(held), held.expiresAtMillis(), null);
    } catch (VarveException e) {
      // A cache may lose what nobody uses; whoever evicted it by using another is not to fail.
      lost.increment();
      LOGGER.log(System.Logger.Level.WARNING, "an evicted entry of a cache was not stored", e);
    }
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    Held held = heap.getIfPresent(key.key());
    if (held != null) {
      return held;
    }
    return heap.asMap()
        .compute(copies.copy(key.key()), (_, taken) -> taken != null ? taken : take(key));
  }

  /// Takes an entry out of the pages.
  private @Nullable Held take(CacheKey<K> key) {
    Held stored = pages.get(key);
    if (stored == null) {
      return null;
    }
    Held taken = new Held(valueForm.store(pages.value(stored)), stored.expiresAtMillis());
    pages.remove(key, stored);
    counts.add(segmentOf(key), 1);
    return taken;
  }

  @Override
  public V value(Held held) {
    return valueForm.load(held.form());
  }

  @Override
  public void put(CacheKey<K> key, V value, long expiresAtMillis, @Nullable Held before) {
    Held held = new Held(valueForm.store(value), expiresAtMillis);
    heap.asMap()
        .compute(
            copies.copy(key.key()),
            (_, now) -> {
              if (now == null && take(key) == null) {
                counts.add(segmentOf(key), 1);
              }
              return held;
            });
  }

  @Override
  public void expireAt(CacheKey<K> key, Held held, long expiresAtMillis) {
    put(key, value(held), expiresAtMillis, held);
  }

  @Override
  public void remove(CacheKey<K> key, Held before) {
    heap.asMap()
        .compute(
            key.key(),
            (_, now) -> {
              if (now != null || take(key) != null) {
                counts.add(segmentOf(key), -1);
              }
              return null;
            });
  }

  @Override
  public Iterator<K> keys(int segment) {
    // Those on the heap first: what moves there meanwhile is missed by neither.
    Stream<K> onHeap =
        heap.asMap().keySet().stream()
            .filter(key -> segmentOf(new CacheKey<>(key, keyMarshaller)) == segment)
            .map(copies::copy);
    Stream<K> inPages =
        StreamSupport.stream(Spliterators.spliteratorUnknownSize(pages.keys(segment), 0), false);
    return Stream.concat(onHeap, inPages).distinct().iterator();
  }

  @Override
  public int segments() {
    return pages.segments();
  }

  @Override
  public int segmentOf(CacheKey<K> key) {
    return pages.segmentOf(key);
  }

  @Override
  public long size() {
    return counts.total() + pages.size();
  }

  @Override
  public long size(int segment) {
    return counts.of(segment) + pages.size(segment);
  }

  @Override
  public void clear() {
    heap.invalidateAll();
    counts.clear();
    pages.clear();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    Stream<K> onHeap =
        heap.asMap().entrySet().stream()
            .filter(entry -> entry.getValue().isExpired(nowMillis))
            .map(Map.Entry::getKey)
            .map(copies::copy);
    Stream<K> inPages =
        StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(pages.expired(nowMillis), 0), false);
    return Stream.concat(onHeap, inPages).iterator();
  }

  @Override
  public void force() {
    pages.force();
  }

  @Override
  public void destroy() {
    heap.invalidateAll();
    pages.destroy();
  }

  /// Stores what is on the heap.
  @Override
  public void close() {
    heap.asMap()
        .forEach((key, held) ->
            pages.put(
                new CacheKey<>(key, keyMarshaller), value(held), held.expiresAtMillis(), null));
    heap.invalidateAll();
    counts.clear();
    pages.close();
  }
}
