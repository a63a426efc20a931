package io.varve.grid.items;

import io.varve.item.Item;
import io.varve.json.ItemJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which of the names after a prefix a request asks for.
///
/// @param after the name before the first, empty for the item that ends with the prefix, or null to
///   begin
/// @param namesMax how many
record PageRequest(@Nullable String after, int namesMax) {
  static final int NAMES_MAX = 10_000;

  private static final int NAMES = 100; // unless a request states it

  /// The request of the parameters of an address.
  ///
  /// @throws IllegalArgumentException if they are none
  static PageRequest of(String query) {
    String after = null;
    int namesMax = 0;
    for (String parameter : query.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      if (parts.length == 2 && parts[0].equals("after") && after == null) {
        after = after(parts[1]);
      } else if (parts.length == 2 && parts[0].equals("limit") && namesMax == 0) {
        namesMax = limit(parts[1]);
      } else {
        throw new IllegalArgumentException(
            "an address of items has no parameters but limit=COUNT and after=NAME, each once");
      }
    }
    return new PageRequest(after, namesMax == 0 ? NAMES : namesMax);
  }

  /// A plus is a space to some clients, and a plus to others.
  private static String after(String value) {
    if (value.contains("+")) {
      throw new IllegalArgumentException("after has a plus; write %20 for a space, %2B for a plus");
    }
    return UriPart.decoded(value);
  }

  /// Digits alone: a plus is a space to some clients.
  private static int limit(String value) {
    if (value.matches("[0-9]{1,5}")) {
      int limit = Integer.parseInt(value);
      if (limit > 0 && limit <= NAMES_MAX) {
        return limit;
      }
    }
    throw new IllegalArgumentException("limit is to be a number from 1 to " + NAMES_MAX);
  }

  /// The parameters of a first page, of as many names.
  String first() {
    return "?limit=" + namesMax;
  }

  /// The parameters of the page that begins after a name.
  String following(String name) {
    return first() + "&after=" + UriPart.encoded(name);
  }

  /// The item after whose followers the page begins, or null if it is the first.
  ///
  /// @throws IllegalArgumentException if the name stands for no component
  @Nullable Item afterItem(Item prefix) {
    if (after == null || after.isEmpty()) {
      return after == null ? null : prefix;
    }
    return prefix.toBuilder().item(ItemJson.prefix(List.of(after))).build();
  }
}
