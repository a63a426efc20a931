package io.varve.test;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.item.Item;
import io.varve.item.ItemSpace;

/// Disks with stores of items that no calm life leaves behind.
public final class UnmergedItems {
  /// Few enough pages in memory that a commit of some thousand items takes a space of its own at
  /// first.
  public static final StoreOptions OPTIONS =
      StoreOptions.defaults().cacheBytes(1 << 20).logBytesMax(4 << 20).logSegmentBytes(1 << 20);

  /// What a commit of items puts into the space that holds them, until it is merged.
  private static final byte[] MARK = {(byte) 0xfe};

  private static final int CALLS_MAX = 10_000;

  private UnmergedItems() {}

  /// A disk whose store lost power when items were committed, to the space `items`, and not yet
  /// merged into it. The store was opened with [#OPTIONS].
  ///
  /// @param itemCount some thousand
  public static SimulatedDisk disk(int itemCount) {
    for (int calls = 1; calls < CALLS_MAX; calls++) {
      SimulatedDisk disk = new SimulatedDisk(1);
      try (Store store = SimulatedStore.open(disk, OPTIONS)) {
        ItemSpace items = store.items("items");
        disk.cutPowerAtCall(disk.mutatingCalls() + calls);
        for (long i = 0; i < itemCount; i++) {
          items.insert(Item.of(i));
        }
        items.commit();
      } catch (VarveException e) {
        if (!disk.isOff()) {
          throw e;
        }
      }
      SimulatedDisk after = disk.powerCut();
      if (hasCommittedLayer(after.copy())) {
        return after;
      }
    }
    throw new AssertionError("no cut left items that were committed and not merged");
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
