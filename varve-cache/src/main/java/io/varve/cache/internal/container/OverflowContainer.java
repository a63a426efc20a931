package io.varve.cache.internal.container;

import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.RemovalListener;
import io.varve.Durability;
import io.varve.Snapshot;
import io.varve.cache.Marshaller;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Entries on the heap while they are used, and in pages once the heap evicts them. One that is
/// read comes back to the heap and stays in its page, too, until it is changed.
///
/// - (O1) An entry is in pages, or on the heap alone: there it has [Held.Place#HEAP], in `heap` or
///   in `leaving`. While it moves it is in its new location before it leaves the old.
/// - (O2) From `heap` to `leaving` an entry moves inside the atomic step that Caffeine has for its
///   key. All other moves are steps under the lock of the key.
/// - (O3) Entries are in `leaving` until a thread finds their keys unlocked. A thread that looks,
///   or has unlocked a key, puts into pages what is there.
///
/// @param <K> the keys
/// @param <V> the values
public final class OverflowContainer<K, V> extends HotContainer<K, V> {
  private static final System.Logger LOGGER = System.getLogger(OverflowContainer.class.getName());

  private final Map<K, Held> leaving = new ConcurrentHashMap<>();
  private final OpenWalks<K> walks = new OpenWalks<>();

  /// Of entries on the heap alone. Changed by steps.
  private final SegmentCounts heapCounts;

  private final LongAdder lost;

  /// Puts a heap before pages.
  ///
  /// @param lost counted up for each evicted entry that could not be put into pages
  public OverflowContainer(
      PageEntries entries,
      KeyLocks<K> locks,
      HeapBound bound,
      Marshaller<K> keys,
      Marshaller<V> values,
      LongAdder lost) {
    super(entries, locks, bound, keys, values);
    this.heapCounts = new SegmentCounts(entries.counts().segments());
    this.lost = lost;
  }

  @Override
  RemovalListener<K, Held> eviction() {
    return this::evicted;
  }

  /// On the threads that use the cache: a thread that evicts an entry stores it once it has
  /// unlocked its own key.
  @Override
  Executor upkeep() {
    return Runnable::run;
  }

  private void evicted(@Nullable K key, @Nullable Held held, RemovalCause cause) {
    if (key != null && held != null && held.place() == Held.Place.HEAP) {
      leaving.put(key, held);
    }
  }

  @Override
  public @Nullable Held get(CacheKey<K> key) {
    Held held = heap.getIfPresent(key.key());
    if (held == null) {
      held = leaving.get(key.key()); // before the pages, since it goes there (O1)
    }
    if (held == null) {
      held = entries.get(key.bytes());
    }
    settle();
    return held;
  }

  @Override
  public NewValue<V> newValue(CacheKey<K> key, V value) {
    key.bytes();
    return new NewValue<>(value, values.store(value));
  }

  @Override
  public void put(KeyLock<K> lock, NewValue<V> value, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    K heldKey = values.key(lock.key());
    Held held = new Held(value.form(), expiresAtMillis, Held.Place.HEAP);
    lock.runStep(gate, () -> putOnHeap(heldKey, key, held, entries.durability(lock)));
  }

  private void putOnHeap(K heldKey, byte[] key, Held held, Durability durability) {
    if (swap(heldKey, _ -> held)) {
      return;
    }
    int segment = entries.segmentOf(key);
    heapCounts.add(segment, 1);
    walks.willLeavePages(heldKey, PageRecord.key(segment, key));
    boolean removed = false;
    try {
      entries.remove(key, durability);
      removed = true;
    } finally {
      if (!removed) { // the store refused: all is as it was
        swap(heldKey, _ -> null);
        heapCounts.add(segment, -1);
      }
    }
  }

  /// Sets what is in the heap for a key, and that nothing leaves it.
  ///
  /// @param change makes what is to be there of what is there; null for nothing
  /// @return whether an entry was on the heap alone
  private boolean swap(K heldKey, Function<@Nullable Held, @Nullable Held> change) {
    boolean[] wasAlone = new boolean[1];
    heap.asMap()
        .compute(
            heldKey,
            (_, now) -> {
              // What left before must not follow what is set now; here no thread can evict it (O2).
              Held left = leaving.remove(heldKey);
              wasAlone[0] = left != null || (now != null && now.place() == Held.Place.HEAP);
              return change.apply(now);
            });
    return wasAlone[0];
  }

  @Override
  public void expireAt(KeyLock<K> lock, long expiresAtMillis) {
    byte[] key = lock.key().bytes();
    K heldKey = lock.key().key();
    lock.runStep(
        gate,
        () -> {
          if (alone(heldKey) == null) {
            changePage(heldKey, () -> entries.expireAt(key, expiresAtMillis));
          }
          changeOnHeap(heldKey, held -> held.endingAt(expiresAtMillis));
        });
  }

  /// Changes what is on the heap for a key, if anything is, where no thread can evict it (O2).
  private void changeOnHeap(K heldKey, UnaryOperator<Held> change) {
    heap.asMap()
        .compute(
            heldKey,
            (_, now) -> {
              leaving.computeIfPresent(heldKey, (_, left) -> change.apply(left));
              return now == null ? null : change.apply(now);
            });
  }

  @Override
  void remove(KeyLock<K> lock, Durability durability) {
    byte[] key = lock.key().bytes();
    K heldKey = lock.key().key();
    lock.runStep(
        gate,
        () -> {
          entries.remove(key, durability);
          if (swap(heldKey, _ -> null)) {
            heapCounts.add(entries.segmentOf(key), -1);
          }
        });
  }

  /// Puts the entry into its page, where it stays until it is changed.
  @Override
  public void force(KeyLock<K> lock) {
    Held held = alone(lock.key().key());
    if (held != null) {
      moveToPages(lock, held);
    }
    super.force(lock);
  }

  /// What is on the heap alone for a key.
  private @Nullable Held alone(K key) {
    Held held = heap.getIfPresent(key);
    if (held == null) {
      held = leaving.get(key);
    }
    return held != null && held.place() == Held.Place.HEAP ? held : null;
  }

  /// Puts what is on the heap alone into pages.
  private void moveToPages(KeyLock<K> lock, Held held) {
    byte[] key = lock.key().bytes();
    byte[] bytes = values.bytes(held.form());
    K heldKey = lock.key().key();
    lock.runStep(
        gate,
        () -> {
          entries.put(key, bytes, held.expiresAtMillis());
          if (swap(heldKey, now -> now == null ? null : now.at(Held.Place.BOTH))) {
            heapCounts.add(entries.segmentOf(key), -1);
          }
        });
  }

  /// Puts what leaves the heap into pages, except keys that another thread is changing: that thread
  /// calls this when that is done.
  @Override
  public void settle() {
    if (!leaving.isEmpty() && !gate.isClosed()) {
      leaving.keySet().forEach(this::settle);
    }
  }

  private void settle(K heldKey) {
    try (KeyLock<K> lock = locks.tryLockUnheld(keyOf(heldKey))) {
      Held held = lock == null ? null : leaving.get(heldKey);
      if (lock != null && held != null) {
        settle(lock, held);
      }
    }
  }

  private void settle(KeyLock<K> lock, Held held) {
    try {
      moveToPages(lock, held);
    } catch (RuntimeException e) {
      if (gate.isClosed()) {
        return; // the thread that closed it stores what is left
      }
      // A cache may lose what no caller uses; the caller that evicted it by using another must not
      // fail.
      lose(1, e);
      byte[] key = lock.key().bytes();
      lock.runStep(
          gate,
          () -> {
            if (swap(lock.key().key(), _ -> null)) {
              heapCounts.add(entries.segmentOf(key), -1);
            }
          });
    }
  }

  private void lose(long count, Exception cause) {
    lost.add(count);
    LOGGER.log(Level.WARNING, "entries of a cache were not put into pages: lost=" + count, cause);
  }

  @Override
  public Iterator<K> keys(int segmentsStart, int segmentsEnd) {
    Walk<K> walk =
        new Walk<>(new PageKeys<>(entries, keys, segmentsStart, segmentsEnd), this::given);
    walks.add(walk); // before the heap is looked at (W1)
    boolean all = segmentsStart == 0 && segmentsEnd == segments();
    onHeapAlone()
        .map(Map.Entry::getKey)
        .filter(key -> all || isWithin(segmentOf(keyOf(key)), segmentsStart, segmentsEnd))
        .forEach(walk::addFirst);
    return walk;
  }

  /// What a walk met on the heap or in a page may have moved since, so each is to be looked up.
  @Override
  public Iterator<Found<K>> entries(int segmentsStart, int segmentsEnd) {
    return new MappedIterator<>(keys(segmentsStart, segmentsEnd), key -> new Found<>(key, null));
  }

  private CacheKey<K> keyOf(K heldKey) {
    return new CacheKey<>(heldKey, keys);
  }

  private K given(K heldKey) {
    return values.key(keyOf(heldKey));
  }

  private static boolean isWithin(int segment, int start, int end) {
    return start <= segment && segment < end;
  }

  private Stream<Map.Entry<K, Held>> onHeapAlone() {
    // In the order in which they move (O2), so that none is missed: those that leave are asked for
    // when the heap has been looked through.
    return Stream.concat(
        heap.asMap().entrySet().stream()
            .filter(entry -> entry.getValue().place() == Held.Place.HEAP),
        Stream.of(leaving).flatMap(late -> late.entrySet().stream()));
  }

  /// What moves between heap and pages does so by steps (O2), none of which runs while both are
  /// looked at: so an entry is met once.
  @Override
  public EntrySnapshot<K, V> snapshot(BitSet segments) {
    Seen<K> seen = gate.look(this::seen);
    boolean all = segments.cardinality() == segments();
    boolean done = false;
    try {
      Set<Held> met = Collections.newSetFromMap(new IdentityHashMap<>());
      List<Noted<K>> alone =
          seen.alone().stream()
              .filter(noted -> met.add(noted.held())) // some were met while they began to leave
              .filter(noted -> all || segments.get(segmentOf(keyOf(noted.key()))))
              .toList();
      EntrySnapshot<K, V> snapshot = snapshot(seen.pages(), alone, segments);
      done = true;
      return snapshot;
    } finally {
      if (!done) {
        seen.pages().close();
      }
    }
  }

  /// What is on the heap alone, and all pages.
  private record Seen<K>(List<Noted<K>> alone, Snapshot pages) {}

  private Seen<K> seen() {
    List<Noted<K>> alone =
        onHeapAlone().map(entry -> new Noted<>(entry.getKey(), entry.getValue())).toList();
    return new Seen<>(alone, entries.snapshot());
  }

  @Override
  public Iterator<K> expired(long nowMillis) {
    List<K> onHeap =
        onHeapAlone()
            .filter(entry -> entry.getValue().isExpired(nowMillis))
            .map(entry -> given(entry.getKey()))
            .toList();
    Iterator<K> inPages = super.expired(nowMillis);
    return Stream.concat(
            onHeap.stream(),
            StreamSupport.stream(Spliterators.spliteratorUnknownSize(inPages, 0), false))
        .iterator();
  }

  @Override
  public long size() {
    return heapCounts.total() + super.size();
  }

  @Override
  public long size(int segment) {
    return heapCounts.of(segment) + super.size(segment);
  }

  @Override
  public void clear() {
    gate.clear(() -> {
      dropHeap();
      entries.clear();
    });
  }

  private void dropHeap() {
    heap.invalidateAll();
    leaving.clear(); // after the heap, from which entries come here
    heapCounts.clear();
  }

  @Override
  public void destroy() {
    dropHeap();
    entries.destroy();
  }

  /// Stores what is on the heap.
  @Override
  public void close() {
    List<Exception> failures = new ArrayList<>();
    onHeapAlone().forEach(entry -> store(entry.getKey(), entry.getValue(), failures));
    if (!failures.isEmpty()) {
      lose(failures.size(), failures.getFirst());
    }
    dropHeap();
    entries.force();
  }

  private void store(K heldKey, Held held, List<Exception> failures) {
    try {
      byte[] key = keyOf(heldKey).bytes();
      byte[] bytes = values.bytes(held.form());
      entries.put(key, bytes, held.expiresAtMillis(), Durability.BACKGROUND);
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }
}
