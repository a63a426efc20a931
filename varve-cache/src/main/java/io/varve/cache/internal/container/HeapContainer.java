package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.varve.cache.Marshaller;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
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
  private final HeapEnds<K> ends = new HeapEnds<>(this::endOf);

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
    this.heap = bound.newCache(values, this::evicted, ForkJoinPool.commonPool());
  }

  private void evicted(@Nullable K key, @Nullable Held held, RemovalCause cause) {
    evictions.increment();
    if (key != null) {
      counts.add(segmentOf(key), -1);
    }
    if (key != null && held != null) {
      ends.removed(key, held.expiresAtMillis());
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
          Held before = heap.asMap().put(key, held);
          if (before == null) {
            counts.add(segmentOf(key), 1);
          }
          ends.moved(key, endOf(before), expiresAtMillis);
        });
  }

  private static long endOf(@Nullable Held held) {
    return held == null ? Held.NEVER : held.expiresAtMillis();
  }

  @Override
  public void expireAt(Turn<K> turn, long expiresAtMillis) {
    K used = turn.key().key();
    long before = endOf(used);
    // An earlier end alone is noted (N1 of HeapEnds), and so only for one is a key kept.
    K kept = expiresAtMillis < before ? values.key(turn.key()) : used;
    turn.pass(gate, () -> changeEnd(kept, before, expiresAtMillis));
  }

  private void changeEnd(K key, long fromMillis, long toMillis) {
    if (heap.asMap().computeIfPresent(key, (_, held) -> held.endingAt(toMillis)) != null) {
      ends.moved(key, fromMillis, toMillis);
    }
  }

  @Override
  public void remove(Turn<K> turn) {
    turn.pass(gate, () -> drop(turn.key().key()));
  }

  private void drop(K key) {
    Held dropped = heap.asMap().remove(key);
    if (dropped != null) {
      counts.add(segmentOf(key), -1);
      ends.removed(key, dropped.expiresAtMillis());
    }
  }

  @Override
  public Iterator<K> keys(int segmentsStart, int segmentsEnd) {
    return new MappedIterator<>(held(segmentsStart, segmentsEnd), entry -> given(entry.getKey()));
  }

  @Override
  public Iterator<Found<K>> entries(int segmentsStart, int segmentsEnd) {
    return new MappedIterator<>(
        held(segmentsStart, segmentsEnd),
        entry -> new Found<>(given(entry.getKey()), entry.getValue()));
  }

  private Iterator<Map.Entry<K, Held>> held(int segmentsStart, int segmentsEnd) {
    boolean all = segmentsStart == 0 && segmentsEnd == segments();
    var entries = heap.asMap().entrySet();
    return all
        ? entries.iterator()
        : entries.stream()
            .filter(entry -> isWithin(segmentOf(entry.getKey()), segmentsStart, segmentsEnd))
            .iterator();
  }

  @Override
  public EntrySnapshot<K, V> snapshot(BitSet segments) {
    List<Noted<K>> all =
        gate.look(() -> {
          List<Noted<K>> met = new ArrayList<>();
          heap.asMap().forEach((key, held) -> met.add(new Noted<>(key, held)));
          return met;
        });
    boolean whole = segments.cardinality() == segments();
    List<Noted<K>> chosen =
        whole ? all : all.stream().filter(noted -> segments.get(segmentOf(noted.key()))).toList();
    EntrySnapshot.Part<K, V> part =
        EntrySnapshot.Part.of(chosen, noted -> new StreamedEntry.OnHeap<>(noted, keys, values));
    return new EntrySnapshot<>(List.of(part), () -> {});
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
  public long heapEntries() {
    return counts.total();
  }

  @Override
  public long pageEntries() {
    return 0;
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
    ends.clear();
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    return ends.due(nowMillis).stream().map(this::given).iterator();
  }

  /// Looks without using the entry.
  private long endOf(K key) {
    Held held = heap.policy().getIfPresentQuietly(key);
    return held == null ? HeapEnds.NONE : held.expiresAtMillis();
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
