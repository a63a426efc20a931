package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.varve.cache.Marshaller;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Entries on the heap, in a Caffeine cache that evicts.
///
/// @param <K> the keys
/// @param <V> the values
public final class HeapContainer<K, V> implements Container<K, V> {
  private final Gate gate;
  private final Cache<K, Held> heap;
  private final Marshaller<K> keys;
  private final ValueForm<V> values;
  private final SegmentCounts counts;
  private final LongAdder evictions;

  /// Makes an empty container.
  ///
  /// @param evictions counted up for each entry that gives way to others
  public HeapContainer(
      Gate gate,
      HeapBound bound,
      Marshaller<K> keys,
      ValueForm<V> values,
      int segments,
      LongAdder evictions) {
    this.gate = gate;
    this.keys = keys;
    this.values = values;
    this.counts = new SegmentCounts(segments);
    this.evictions = evictions;
    this.heap = bound.newCache(values, this::evicted);
  }

  private void evicted(@Nullable K key, @Nullable Held held, RemovalCause cause) {
    evictions.increment();
    if (key != null) {
      counts.add(segmentOf(key), -1);
    }
  }

  private int segmentOf(K key) {
    return Math.floorMod(KeyLocks.spread(key.hashCode()), counts.segments());
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    return heap.getIfPresent(key.key());
  }

  @Override
  public V value(Held held) {
    return values.load(held.form());
  }

  @Override
  public void put(Turn<K> turn, V value, long expiresAtMillis) {
    Held held = new Held(values.store(value), expiresAtMillis, Held.Place.HEAP);
    K key = values.key(turn.key());
    turn.pass(
        gate,
        () -> {
          if (heap.asMap().put(key, held) == null) {
            counts.add(segmentOf(key), 1);
          }
        });
  }

  @Override
  public void expireAt(Turn<K> turn, long expiresAtMillis) {
    K key = turn.key().key();
    turn.pass(
        gate,
        () -> heap.asMap().computeIfPresent(key, (_, held) -> held.endingAt(expiresAtMillis)));
  }

  @Override
  public void remove(Turn<K> turn) {
    turn.pass(gate, () -> drop(turn.key().key()));
  }

  private void drop(K key) {
    if (heap.asMap().remove(key) != null) {
      counts.add(segmentOf(key), -1);
    }
  }

  @Override
  public Iterator<K> keys(int segmentsStart, int segmentsEnd) {
    boolean all = segmentsStart == 0 && segmentsEnd == segments();
    return heap.asMap().keySet().stream()
        .filter(key -> all || isWithin(segmentOf(key), segmentsStart, segmentsEnd))
        .map(this::given)
        .iterator();
  }

  @Override
  public EntrySnapshot<K, V> snapshot(BitSet segments) {
    List<StreamedEntry.OnHeap<K, V>> all =
        gate.look(() -> {
          List<StreamedEntry.OnHeap<K, V>> met = new ArrayList<>();
          heap.asMap()
              .forEach((key, held) -> met.add(new StreamedEntry.OnHeap<>(key, held, keys, values)));
          return met;
        });
    boolean whole = segments.cardinality() == segments();
    List<StreamedEntry.OnHeap<K, V>> chosen =
        whole
            ? all
            : all.stream().filter(entry -> segments.get(segmentOf(entry.heldKey()))).toList();
    return new EntrySnapshot<>(List.of(EntrySnapshot.Part.of(chosen)), () -> {});
  }

  private static boolean isWithin(int segment, int start, int end) {
    return start <= segment && segment < end;
  }

  private K given(K held) {
    return values.key(new CacheKey<>(held, keys));
  }

  @Override
  public int segments() {
    return counts.segments();
  }

  @Override
  public int segmentOf(CacheKey<K> key) {
    return segmentOf(key.key());
  }

  @Override
  public long size() {
    return counts.total();
  }

  @Override
  public long size(int segment) {
    return counts.of(segment);
  }

  @Override
  public void clear() {
    gate.clear(this::dropAll);
  }

  /// Removes one by one, since an eviction, which passes no gate, may have counted an entry out.
  private void dropAll() {
    heap.asMap().keySet().forEach(this::drop);
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    return heap.asMap().entrySet().stream()
        .filter(entry -> entry.getValue().isExpired(nowMillis))
        .map(Map.Entry::getKey)
        .map(this::given)
        .iterator();
  }

  @Override
  public void destroy() {
    dropAll();
  }

  @Override
  public void close() {
    dropAll();
  }
}
