package io.varve.cli;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.Space;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import io.varve.json.ItemJson;
import java.util.List;
import picocli.CommandLine.Parameters;

/// The items that a command is about: those of an item space that start with the components given.
final class ItemPrefix {
  @Parameters(index = "0", paramLabel = "SPACE", description = "Name of the item space.")
  String space = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "COMPONENT",
      description = "What the items start with: texts, or values with a type as @long:7.")
  List<String> components = List.of();

  /// @throws CommandException if a component is none
  Item item() {
    try {
      return ItemJson.prefix(components);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }

  /// The item space, which has to be there.
  ///
  /// @throws CommandException if there is none, or the space of that name holds other entries
  ItemSpace present(Store store) {
    Stores.requireSpace(store, space);
    return made(store);
  }

  /// The item space, made if there is none.
  ///
  /// @throws CommandException if the space of that name holds other entries, or none can have it
  ItemSpace made(Store store) {
    try {
      Space entries = store.findSpace(space);
      if (entries != null) {
        requireEmptyValues(entries);
      }
      ItemSpace items = store.items(space);
      requireComponents(items);
      return items;
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()), e);
    }
  }

  /// Refuses a space whose first or last entry has a value, since items have none.
  private void requireEmptyValues(Space entries) {
    try (Snapshot snapshot = entries.store().snapshot();
        Cursor cursor = snapshot.cursor(entries, Range.all())) {
      if ((cursor.first() && cursor.value().length > 0)
          || (cursor.last() && cursor.value().length > 0)) {
        throw CommandException.usage(noItems());
      }
    }
  }

  /// Refuses a space whose first or last key is no item.
  private void requireComponents(ItemSpace items) {
    ItemCursor cursor = items.cursor();
    try {
      if (cursor.first()) {
        cursor.size();
      }
      if (cursor.last()) {
        cursor.size();
      }
    } catch (IllegalArgumentException e) {
      throw CommandException.usage(noItems(), e);
    }
  }

  private String noItems() {
    return "the space has entries that are no items: " + space + "; 'varve scan' prints them";
  }
}
