package io.varve.cache.internal.container;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// The keys of entries on the heap that have an end, by the second of it: who looks for expired
/// entries looks at those that are due and at no others. Safe for threads.
///
/// (N1) An entry that has an end is noted under that second or an earlier one. So an entry that
/// lives longer, as each use may have it do, need not be moved at once: [#due] moves it when the
/// second of its note has come. What is noted and is there no more goes then, too.
///
/// @param <K> the keys
final class HeapEnds<K> {
  /// What [#due] is told of a key that has no entry.
  static final long NONE = Long.MIN_VALUE;

  private static final int STRIPES = 16;
  private static final int BUCKET_MILLIS = 1000;

  private final List<Stripe<K>> stripes = new ArrayList<>();

  /// Notes of keys whose hashes are alike.
  private static final class Stripe<K> {
    private final TreeMap<Long, Set<K>> keysBySecond = new TreeMap<>(); // guarded by this

    synchronized void add(long second, K key) {
      keysBySecond.computeIfAbsent(second, _ -> new HashSet<>()).add(key);
    }

    synchronized void remove(long second, K key) {
      keysBySecond.computeIfPresent(
          second, (_, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
    }

    synchronized void clear() {
      keysBySecond.clear();
    }

    private synchronized List<Map.Entry<Long, K>> notedUntil(long second) {
      List<Map.Entry<Long, K>> noted = new ArrayList<>();
      keysBySecond
          .headMap(second, true)
          .forEach((at, keys) -> keys.forEach(key -> noted.add(Map.entry(at, key))));
      return noted;
    }

    /// Brings a note to where its entry is now. The entry is looked at under the lock, and noted
    /// after it was put: so the note of one that is put meanwhile stays (N1).
    synchronized long settle(long second, K key, ToLongFunction<K> ends) {
      long end = ends.applyAsLong(key);
      if (end == NONE || end == Held.NEVER || secondOf(end) != second) {
        remove(second, key);
      }
      if (end != NONE && end != Held.NEVER) {
        add(secondOf(end), key);
      }
      return end;
    }
  }

  HeapEnds() {
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new Stripe<>());
    }
  }

  private Stripe<K> stripe(K key) {
    return stripes.get(Math.floorMod(KeyLocks.spread(key.hashCode()), STRIPES));
  }

  private static long secondOf(long millis) {
    return Math.floorDiv(millis, BUCKET_MILLIS);
  }

  /// Notes an entry that was put, or given another end. [Held#NEVER] is none, and stands for no
  /// entry before.
  void moved(K key, long fromMillis, long toMillis) {
    if (toMillis == Held.NEVER) {
      removed(key, fromMillis);
    } else if (fromMillis == Held.NEVER || secondOf(toMillis) < secondOf(fromMillis)) {
      stripe(key).add(secondOf(toMillis), key);
    }
  }

  /// Forgets an entry that is gone, unless its note is an earlier one, which goes when it is due.
  void removed(K key, long endMillis) {
    if (endMillis != Held.NEVER) {
      stripe(key).remove(secondOf(endMillis), key);
    }
  }

  /// The keys of entries that have ended by a time.
  ///
  /// @param ends when the entry of a key ends, or [#NONE]
  List<K> due(long nowMillis, ToLongFunction<K> ends) {
    List<K> due = new ArrayList<>();
    for (Stripe<K> stripe : stripes) {
      for (Map.Entry<Long, K> note : stripe.notedUntil(secondOf(nowMillis))) {
        long end = stripe.settle(note.getKey(), note.getValue(), ends);
        if (end != NONE && end <= nowMillis) {
          due.add(note.getValue());
        }
      }
    }
    return due;
  }

  /// Forgets all.
  void clear() {
    stripes.forEach(Stripe::clear);
  }
}
