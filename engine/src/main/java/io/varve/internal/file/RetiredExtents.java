package io.varve.internal.file;

import io.varve.internal.page.Extent;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/// Extents that the current tree does not reach any more, by their *lifetimes*: the epoch in which
/// they were made and that in which they were retired. Trees of the epochs from the first
/// (inclusive) to the second (exclusive) reach them. Not safe for threads.
///
/// What live epochs hold back is kept under the shortest lifetime that contains the same of them.
/// So there are no more lifetimes than pairs of live epochs, however long those stay.
final class RetiredExtents {
  /// By the epoch of retirement, and by that of making.
  private final NavigableMap<Long, NavigableMap<Long, LongList>> lists = new TreeMap<>();

  void add(long extent, long made, long retired) {
    list(made, retired).add(extent);
  }

  private LongList list(long made, long retired) {
    return lists
        .computeIfAbsent(retired, _ -> new TreeMap<>())
        .computeIfAbsent(made, _ -> new LongList());
  }

  /// Takes extents of one lifetime.
  @FunctionalInterface
  interface Lifetime {
    void of(long made, long retired, LongList extents);
  }

  /// Names what was retired after `from`, up to `to`.
  void forEach(long from, long to, Lifetime lifetime) {
    lists
        .subMap(from, false, to, true)
        .forEach((retired, byMade) ->
            byMade.forEach((made, extents) -> lifetime.of(made, retired, extents)));
  }

  /// Removes what was retired after `epoch`.
  void removeAfter(long epoch) {
    lists.tailMap(epoch, false).clear();
  }

  /// Removes what was retired up to `epoch`, a closed one, and no live epoch shows.
  ///
  /// @param freed takes each extent
  void release(long epoch, LiveEpochs live, LongConsumer freed) {
    NavigableMap<Long, NavigableMap<Long, LongList>> due =
        new TreeMap<>(lists.headMap(epoch, true));
    lists.headMap(epoch, true).clear();
    for (Map.Entry<Long, NavigableMap<Long, LongList>> ofEpoch : due.entrySet()) {
      long retired = ofEpoch.getKey();
      for (Map.Entry<Long, LongList> ofLifetime : ofEpoch.getValue().entrySet()) {
        long made = ofLifetime.getKey();
        LongList extents = ofLifetime.getValue();
        if (live.anyWithin(made, retired)) {
          hold(live.below(made) + 1, live.below(retired) + 1, extents);
        } else {
          extents.forEach(freed);
        }
      }
    }
  }

  private void hold(long made, long retired, LongList extents) {
    LongList present =
        lists.computeIfAbsent(retired, _ -> new TreeMap<>()).putIfAbsent(made, extents);
    if (present != null) {
      present.addAll(extents);
    }
  }

  /// The bytes of all extents.
  long bytes() {
    long[] units = new long[1];
    LongConsumer count = extent -> units[0] += Extent.units(extent);
    lists.values().forEach(byMade -> byMade.values().forEach(list -> list.forEach(count)));
    return units[0] * Extent.UNIT_BYTES;
  }
}
