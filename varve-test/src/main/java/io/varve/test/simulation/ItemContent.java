package io.varve.test.simulation;

import io.varve.Store;
import io.varve.item.Item;
import io.varve.item.ItemSnapshot;
import io.varve.item.ItemSpace;
import io.varve.test.Change;
import io.varve.test.Model;
import java.util.NavigableSet;
import java.util.TreeSet;

/// The items of a store, and what a store has apart from them.
final class ItemContent {
  private static final String LAYERS = ItemHistory.SPACE + "~layer-";

  private ItemContent() {}

  /// The content of a store apart from its items, which are in spaces as the engine pleases.
  static Model withoutItems(Model content) {
    Model withoutItems = content.copy();
    for (String name : withoutItems.spaceNames()) {
      if (name.equals(ItemHistory.SPACE) || name.startsWith(LAYERS)) {
        withoutItems.apply(new Change.DropSpace(name));
      }
    }
    return withoutItems;
  }

  /// The items of a store that was opened.
  static NavigableSet<Item> of(Store store) {
    boolean present = store.findSpace(ItemHistory.SPACE) != null;
    return present ? shown(store.items(ItemHistory.SPACE)) : new TreeSet<>();
  }

  /// What a snapshot of items shows.
  static NavigableSet<Item> shown(ItemSpace items) {
    NavigableSet<Item> shown = new TreeSet<>();
    try (ItemSnapshot snapshot = items.snapshot()) {
      for (Item item : snapshot.scan()) {
        if (!shown.isEmpty() && shown.last().compareTo(item) >= 0) {
          throw new AssertionError("items are out of order: " + shown.last() + ", " + item);
        }
        shown.add(item);
      }
      if (snapshot.count() != shown.size()) {
        throw new AssertionError("snapshot of items counts other than it shows");
      }
    }
    return shown;
  }

  /// Requires that a commit merges what is left to be merged, and changes nothing by that.
  static void requireMerged(Store store) {
    NavigableSet<Item> before = of(store);
    if (store.findSpace(ItemHistory.SPACE) == null) {
      return;
    }
    store.items(ItemHistory.SPACE).commit();
    if (store.spaceNames().stream().anyMatch(name -> name.startsWith(LAYERS))) {
      throw new AssertionError("layers of items are left: " + store.spaceNames());
    }
    if (!of(store).equals(before)) {
      throw new AssertionError("merging the layers of items has changed the items");
    }
  }
}
