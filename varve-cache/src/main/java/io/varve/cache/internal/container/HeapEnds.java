package io.varve.cache.internal.container;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// The keys of entries on the heap that have an end, by the second of it: a purge that looks for
/// expired entries looks at those that are due and at no others. Safe for threads.
///
/// (N1) An entry that has an end is noted under that second or an earlier one. So an entry that
/// lives longer, as each use may have it do, need not be moved immediately: [#due] moves it when
/// the second of its note has come.
///
/// (N2) Notes are at most two per entry and some. A note is astray if its entry has gone, or has
/// another note: a thread that may leave one counts it. Once half of a stripe's notes may be
/// astray, each is brought to where its entry is, or goes.
///
/// @param <K> the keys
final class HeapEnds<K> {
  /// When the entry of a key ends that has none.
  static final long NONE = Long.MIN_VALUE;

  private static final int STRIPES = 16;
  private static final int BUCKET_MILLIS = 1000;

  /// Fewer notes of a stripe than this may be astray whatever the number of its entries.
  private static final int ASTRAY_MAX = 64;

  private final List<Stripe<K>> stripes = new ArrayList<>();

  /// Notes of keys whose hashes are alike.
  private static final class Stripe<K> {
    private final ToLongFunction<K> ends;
    private final TreeMap<Long, Set<K>> keysBySecond = new TreeMap<>(); // guarded by this
    private int notes; // guarded by this
    private int astray; // at least as many notes as are; guarded by this

    Stripe(ToLongFunction<K> ends) {
      this.ends = ends;
    }

    private void add(long second, K key) {
      if (keysBySecond.computeIfAbsent(second, _ -> new HashSet<>()).add(key)) {
        notes++;
      }
    }

    private boolean remove(long second, K key) {
      Set<K> keys = keysBySecond.get(second);
      if (keys == null || !keys.remove(key)) {
        return false;
      }
      if (keys.isEmpty()) {
        keysBySecond.remove(second);
      }
      notes--;
      return true;
    }

    synchronized void noted(long second, K key) {
      add(second, key);
    }

    synchronized void movedForward(long fromSecond, long toSecond, K key) {
      boolean wasNotedThere = remove(fromSecond, key);
      add(toSecond, key);
      if (!wasNotedThere) {
        strayed();
      }
    }

    synchronized void removed(long second, K key) {
      if (!remove(second, key)) {
        strayed();
      }
    }

    private void strayed() {
      astray++;
      if (astray > ASTRAY_MAX && astray > notes / 2) {
        settleAll();
      }
    }

    private void settleAll() {
      for (Map.Entry<Long, K> note : notedUntil(Long.MAX_VALUE)) {
        settle(note.getKey(), note.getValue());
      }
      astray = 0;
    }

    synchronized int notes() {
      return notes;
    }

    synchronized void clear() {
      keysBySecond.clear();
      notes = 0;
      astray = 0;
    }

    private synchronized List<Map.Entry<Long, K>> notedUntil(long second) {
      List<Map.Entry<Long, K>> noted = new ArrayList<>();
      keysBySecond
          .headMap(second, true)
          .forEach((at, keys) -> keys.forEach(key -> noted.add(Map.entry(at, key))));
      return noted;
    }

    /// Brings a note to where its entry is now. The entry is looked at under the lock, and noted
    /// after it was put: so the note of one that is put concurrently stays (N1).
    synchronized long settle(long second, K key) {
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

  /// @param ends when the entry of a key ends, or [#NONE]; asked under the lock of a stripe, and so
  ///   takes none itself
  HeapEnds(ToLongFunction<K> ends) {
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new Stripe<>(ends));
    }
  }

  private Stripe<K> stripe(K key) {
    return stripes.get(Math.floorMod(KeyLocks.spread(key.hashCode()), STRIPES));
  }

  private static long secondOf(long millis) {
    return Math.floorDiv(millis, BUCKET_MILLIS);
  }

  /// Notes an entry that was put, or given another end. [Held#NEVER] is none, and means that there
  /// was no entry before.
  void moved(K key, long fromMillis, long toMillis) {
    if (toMillis == Held.NEVER) {
      removed(key, fromMillis);
    } else if (fromMillis == Held.NEVER) {
      stripe(key).noted(secondOf(toMillis), key);
    } else if (secondOf(toMillis) < secondOf(fromMillis)) {
      stripe(key).movedForward(secondOf(fromMillis), secondOf(toMillis), key);
    }
  }

  /// Forgets an entry that is gone. If its note is an earlier one, that goes when it is due (N2).
  void removed(K key, long endMillis) {
    if (endMillis != Held.NEVER) {
      stripe(key).removed(secondOf(endMillis), key);
    }
  }

  /// The keys of entries that have ended by a time.
  List<K> due(long nowMillis) {
    List<K> due = new ArrayList<>();
    for (Stripe<K> stripe : stripes) {
      for (Map.Entry<Long, K> note : stripe.notedUntil(secondOf(nowMillis))) {
        long end = stripe.settle(note.getKey(), note.getValue());
        if (end != NONE && end <= nowMillis) {
          due.add(note.getValue());
        }
      }
    }
    return due;
  }

  /// The number of notes.
  int notes() {
    return stripes.stream().mapToInt(Stripe::notes).sum();
  }

  /// Forgets all.
  void clear() {
    stripes.forEach(Stripe::clear);
  }
}
