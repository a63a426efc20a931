package io.varve.cli;

import io.varve.Durability;
import io.varve.Store;
import io.varve.cli.console.CommandException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Commits of items that a crash has left in spaces of their own, beside the item space that they
/// belong to ([Store#items]).
final class ItemLayers {
  private static final Pattern NAME = Pattern.compile("(.+)~layer-[0-9]{19}", Pattern.DOTALL);

  private ItemLayers() {}

  /// Merges them into their item spaces, so that these hold all of their items.
  static void merge(Store store) {
    for (List<String> left = itemSpaces(store); !left.isEmpty(); left = itemSpaces(store)) {
      for (String name : left) {
        store.items(name).commit(Durability.BACKGROUND); // merges some that are there, or all
      }
      if (itemSpaces(store).size() >= left.size()) {
        throw CommandException.store(
            "commits of the item space could not be merged into it: space="
                + left.getFirst()
                + "; make room on the disk and try again");
      }
    }
  }

  /// Whether a space of that name is no user's own.
  static boolean isLayer(String name) {
    return NAME.matcher(name).matches();
  }

  /// The item space of each of them.
  private static List<String> itemSpaces(Store store) {
    return store.spaceNames().stream()
        .map(NAME::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .filter(name -> store.findSpace(name) != null)
        .toList();
  }
}
