package io.varve.cli;

import io.varve.Store;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Commits of items that a crash has left in spaces of their own, next to the item space that they
/// belong to ([Store#items]).
final class ItemLayers {
  private static final Pattern NAME = Pattern.compile("(.+)~layer-[0-9]{19}", Pattern.DOTALL);

  private ItemLayers() {}

  /// Whether a space of that name is no user's own.
  static boolean isLayer(String name) {
    return NAME.matcher(name).matches();
  }

  /// The item spaces that have any: what they hold is read as items, not as entries.
  static Set<String> itemSpaces(Store store) {
    return store.spaceNames().stream()
        .map(NAME::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .filter(name -> store.findSpace(name) != null)
        .collect(Collectors.toUnmodifiableSet());
  }
}
