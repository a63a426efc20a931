package io.varve.test;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.item.Item;
import io.varve.item.ItemSpace;

/// Disks with stores of items that no calm life leaves.
public final class UnmergedItems {
  /// Few enough pages in memory that a commit of some thousand items takes a space of its own at
  /// first.
  public static final StoreOptions OPTIONS =
      StoreOptions.defaults()
          .cacheBytes(1 << 20)
          .log(log -> log.bytesMax(4 << 20).segmentBytes(1 << 20));

  /// What a commit of items puts into the space that holds them, until it is merged.
  private static final byte[] MARK = {(byte) 0xfe};

  private static final int ATTEMPTS_MAX = 10_000;

  private UnmergedItems() {}

  /// A disk whose store lost power when items were committed, to the space `items`, and not yet
  /// merged into it. The store was opened with [#OPTIONS].
  ///
  /// @param itemCount some thousand
  public static SimulatedDisk disk(int itemCount) {
    // Threads of the store decide which call comes where, so that each position is tried many
    // times.
    long calls = lifeWithCut(new SimulatedDisk(1), itemCount, Long.MAX_VALUE);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      SimulatedDisk disk = new SimulatedDisk(1);
      lifeWithCut(disk, itemCount, 1 + attempt % calls);
      SimulatedDisk after = disk.powerCut();
      if (hasCommittedLayer(after.copy())) {
        return after;
      }
    }
    throw new AssertionError("no cut left items that were committed and not merged");
  }

  /// Opens a store, commits items, and closes it, unless the disk loses power during that.
  ///
  /// @param cut the call, of those that change the disk, at which it does
  /// @return how many such calls there were
  private static long lifeWithCut(SimulatedDisk disk, int itemCount, long cut) {
    long before = 0;
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      ItemSpace items = store.items("items");
      before = disk.mutatingCalls();
      if (cut < Long.MAX_VALUE) {
        disk.cutPowerAtCall(before + cut);
      }
      for (long i = 0; i < itemCount; i++) {
        items.insert(Item.of(i));
      }
      items.commit();
    } catch (VarveException e) {
      if (!disk.isOff()) {
        throw e;
      }
    }
    return disk.mutatingCalls() - before;
  }

  private static boolean hasCommittedLayer(SimulatedDisk disk) {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      return store.spaceNames().stream()
          .filter(name -> name.startsWith("items~layer-"))
          .map(store::findSpace)
          .anyMatch(layer -> layer != null && layer.contains(MARK));
    }
  }
}
