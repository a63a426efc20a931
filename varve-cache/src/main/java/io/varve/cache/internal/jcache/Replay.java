package io.varve.cache.internal.jcache;

import io.varve.cache.internal.container.CacheKey;
import io.varve.cache.internal.container.Container;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/// How far a listener was notified of the entries that are there, so that it hears of each once,
/// before all changes of it.
///
/// Entries are walked over one range of segments after the other. All that is asked here of a key
/// is asked under its lock.
///
/// - (R1) A key of a range that is done was met by the walk; or it came since, and the listener was
///   notified of it as of a change; or it is not there.
/// - (R2) Of the ranges that are not done, the keys are noted that the listener was notified of. So
///   memory is taken for one range, and for what changes concurrently in those after it.
final class Replay<K> {
  /// More would walk over the heap more often, fewer note more keys at a time.
  private static final int RANGES = 16;

  private final Container<K, ?> container;
  private final int rangeSegments;

  private final Map<Integer, Set<K>> reported = new HashMap<>(); // by range; guarded by this
  private int rangesDone; // guarded by this

  Replay(Container<K, ?> container) {
    this.container = container;
    this.rangeSegments = (container.segments() + RANGES - 1) / RANGES;
  }

  private int rangeOf(CacheKey<K> key) {
    return container.segmentOf(key) / rangeSegments;
  }

  /// Whether the listener was notified of the entry of a key (R1, R2).
  boolean isReported(CacheKey<K> key) {
    int range = rangeOf(key);
    synchronized (this) {
      return range < rangesDone || reported.getOrDefault(range, Set.of()).contains(key.key());
    }
  }

  /// Notes that the listener is notified of the entry of a key.
  ///
  /// @return whether it was not before
  boolean tell(CacheKey<K> key) {
    int range = rangeOf(key);
    synchronized (this) {
      return range >= rangesDone
          && reported.computeIfAbsent(range, _ -> new HashSet<>()).add(key.key());
    }
  }

  /// The keys of a range, weakly consistent.
  Iterator<K> keysOf(int range) {
    int start = range * rangeSegments;
    return container.keys(start, Math.min(start + rangeSegments, container.segments()));
  }

  /// The number of ranges.
  int ranges() {
    return (container.segments() + rangeSegments - 1) / rangeSegments;
  }

  /// Notes that the walk has met all keys of a range. They are done in order.
  synchronized void done(int range) {
    reported.remove(range);
    rangesDone = range + 1;
  }
}
