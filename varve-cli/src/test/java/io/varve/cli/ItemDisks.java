package io.varve.cli;

import io.varve.Store;
import io.varve.StoreOptions;
import io.varve.VarveException;
import io.varve.item.Item;
import io.varve.item.ItemSpace;
import io.varve.test.SimulatedDisk;
import io.varve.test.SimulatedStore;

/// Disks with stores of items that no calm life leaves behind.
final class ItemDisks {
  private static final byte[] MARK = {(byte) 0xfe};

  /// Few enough pages in memory that a commit of some thousand items is one of a layer.
  private static final StoreOptions OPTIONS =
      StoreOptions.defaults().cacheBytes(1 << 20).logBytesMax(4 << 20).logSegmentBytes(1 << 20);

  private ItemDisks() {}

  /// A disk whose store lost power when items were committed, to the space `items`, and not yet
  /// merged into it.
  static SimulatedDisk withLayer(int itemCount) {
    for (int calls = 1; calls < 10_000; calls++) {
      SimulatedDisk disk = new SimulatedDisk(1);
      try (Store store = SimulatedStore.open(disk, OPTIONS)) {
        ItemSpace items = store.items("items");
        disk.cutPowerAtCall(disk.mutatingCalls() + calls);
        for (long i = 0; i < itemCount; i++) {
          items.insert(Item.of(i));
        }
        items.commit();
      } catch (VarveException _) {
        // The power is off.
      }
      SimulatedDisk after = disk.powerCut();
      if (hasCommittedLayer(after.copy())) {
        return after;
      }
    }
    throw new AssertionError("no cut left a layer that was committed and not merged");
  }

  private static boolean hasCommittedLayer(SimulatedDisk disk) {
    try (Store store = SimulatedStore.open(disk, OPTIONS)) {
      return store.spaceNames().stream()
          .anyMatch(name -> name.contains("~layer-") && store.findSpace(name).contains(MARK));
    }
  }
}
