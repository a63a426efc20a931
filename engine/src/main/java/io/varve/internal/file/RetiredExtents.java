package io.varve.internal.file;

import static java.util.Objects.requireNonNull;

import io.varve.internal.page.Extent;
import java.util.List;
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

  /// Removes what was retired up to `epoch`, a closed one, and no live epoch shows. An extent
  /// leaves its list after it was taken, or is in another one: lack of memory at any point loses
  /// none.
  ///
  /// @param freed takes each extent
  void release(long epoch, LiveEpochs live, LongConsumer freed) {
    for (Long retired : List.copyOf(lists.headMap(epoch, true).keySet())) {
      NavigableMap<Long, LongList> byMade = requireNonNull(lists.get(retired));
      for (Long made : List.copyOf(byMade.keySet())) {
        if (release(made, retired, requireNonNull(byMade.get(made)), live, freed)) {
          byMade.remove(made);
        }
      }
      if (byMade.isEmpty()) {
        lists.remove(retired);
      }
    }
  }

  /// Removes the extents of one lifetime.
  ///
  /// @return whether none of them has that lifetime any more
  private boolean release(
      long made, long retired, LongList extents, LiveEpochs live, LongConsumer freed) {
    if (!live.anyWithin(made, retired)) {
      extents.drainTo(freed);
      return true;
    }
    long shortestMade = live.below(made) + 1;
    long shortestRetired = live.below(retired) + 1;
    if (shortestMade == made && shortestRetired == retired) {
      return false;
    }
    list(shortestMade, shortestRetired).addAll(extents);
    return true;
  }

  /// The bytes of all extents.
  long bytes() {
    long[] units = new long[1];
    LongConsumer count = extent -> units[0] += Extent.units(extent);
    lists.values().forEach(byMade -> byMade.values().forEach(list -> list.forEach(count)));
    return units[0] * Extent.UNIT_BYTES;
  }
}
