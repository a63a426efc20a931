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

  /// Of each key what is [Held], but the form of the value alone where it never ends: an object
  /// less for most entries.
  private final Cache<K, Object> heap;

  private final Marshaller<K> keys;
  private final ValueForm<V> values;
  private final SegmentCounts counts;
  private final LongAdder evictions;
  private final HeapAdmission admission;
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
    this.admission = new HeapAdmission(bound);
    this.heap =
        bound.newCache(
            kept -> values.weight(held(kept).form()), this::evicted, ForkJoinPool.commonPool());
  }

  private static Object kept(Object form, long expiresAtMillis) {
    return expiresAtMillis == Held.NEVER ? form : new Held(form, expiresAtMillis, Held.Place.HEAP);
  }

  private static Held held(Object kept) {
    return kept instanceof Held held ? held : new Held(kept, Held.NEVER, Held.Place.HEAP);
  }

  private void evicted(@Nullable K key, @Nullable Object kept, RemovalCause cause) {
    evictions.increment();
    if (key != null) {
      counts.add(segmentOf(key), -1);
      ends.removed(key, endOfKept(kept));
    }
  }

  private int segmentOf(K key) {
    return Math.floorMod(KeyLocks.spread(key.hashCode()), counts.segments());
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    Object kept = heap.getIfPresent(key.key());
    return kept == null ? null : held(kept);
  }

  @Override
  public V value(Held held) {
    return values.load(held.form());
  }

  @Override
  public NewValue<V> newValue(CacheKey<K> key, V value) {
    return new NewValue<>(value, values.store(value));
  }

  @Override
  public void put(KeyLock<K> lock, NewValue<V> value, long expiresAtMillis) {
    Object kept = kept(value.form(), expiresAtMillis);
    K key = values.key(lock.key());
    lock.runStep(
        gate,
        () -> {
          if (admission.isNeeded()) {
            admission.change(
                sizeOf(key, kept) - sizeOf(key, heap.policy().getIfPresentQuietly(key)));
          }
          Object before = heap.asMap().put(key, kept);
          if (before == null) {
            counts.add(segmentOf(key), 1);
          }
          ends.moved(key, endOfKept(before), expiresAtMillis);
        });
  }

  private long sizeOf(K key, @Nullable Object kept) {
    return kept == null ? 0 : admission.sizeOf(key, values.weight(held(kept).form()));
  }

  private static long endOfKept(@Nullable Object kept) {
    return kept instanceof Held held ? held.expiresAtMillis() : Held.NEVER;
  }

  @Override
  public void expireAt(KeyLock<K> lock, long expiresAtMillis) {
    K used = lock.key().key();
    long before = endOf(used);
    // An earlier end alone is noted (N1 of HeapEnds), and so only for one is a key kept.
    K kept = expiresAtMillis < before ? values.key(lock.key()) : used;
    lock.runStep(gate, () -> changeEnd(kept, before, expiresAtMillis));
  }

  private void changeEnd(K key, long fromMillis, long toMillis) {
    if (heap.asMap().computeIfPresent(key, (_, kept) -> kept(held(kept).form(), toMillis))
        != null) {
      ends.moved(key, fromMillis, toMillis);
    }
  }

  @Override
  public void remove(KeyLock<K> lock) {
    lock.runStep(gate, () -> drop(lock.key().key()));
  }

  private void drop(K key) {
    Object dropped = heap.asMap().remove(key);
    if (dropped != null) {
      if (admission.isNeeded()) {
        admission.change(-sizeOf(key, dropped));
      }
      counts.add(segmentOf(key), -1);
      ends.removed(key, endOfKept(dropped));
    }
  }

  @Override
  public Iterator<K> keys(int segmentsStart, int segmentsEnd) {
    return new MappedIterator<>(
        inSegments(segmentsStart, segmentsEnd), entry -> given(entry.getKey()));
  }

  @Override
  public Iterator<Found<K>> entries(int segmentsStart, int segmentsEnd) {
    return new MappedIterator<>(
        inSegments(segmentsStart, segmentsEnd),
        entry -> new Found<>(given(entry.getKey()), held(entry.getValue())));
  }

  private Iterator<Map.Entry<K, Object>> inSegments(int segmentsStart, int segmentsEnd) {
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
          heap.asMap().forEach((key, kept) -> met.add(new Noted<>(key, held(kept))));
          return met;
        });
    boolean whole = segments.cardinality() == segments();
    List<Noted<K>> chosen =
        whole ? all : all.stream().filter(noted -> segments.get(segmentOf(noted.key()))).toList();
    EntryPart<K, V> part =
        EntryPart.of(chosen, noted -> new StreamedEntry.OnHeap<>(noted, keys, values));
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
    Object kept = heap.policy().getIfPresentQuietly(key);
    return kept == null ? HeapEnds.NONE : endOfKept(kept);
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
