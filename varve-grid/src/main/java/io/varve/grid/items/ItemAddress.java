package io.varve.grid.items;

import io.varve.item.Item;
import io.varve.json.ItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The item space and the prefix that the address of a request names.
///
/// - ADDRESS-1 A path is split first, and each part is decoded then: a component may have a slash.
/// - ADDRESS-2 A part has one reading ([UriPart]). So no two requests for different items are taken
///   for one.
///
/// @param space its name
/// @param prefix of the items
/// @param path as it was sent
/// @param page the part of them that is asked for, or null for all
record ItemAddress(String space, Item prefix, String path, @Nullable PageRequest page) {
  /// The path of all item spaces.
  static final String ROOT = "/rest/v2/varve/items";

  /// Parts of a path that clients take for other parts.
  private static final Set<String> SHORTENED = Set.of(".", "..");

  /// Whether a request is for items.
  static boolean isOfItems(String uri) {
    String path = path(uri);
    return path.startsWith(ROOT)
        && (path.length() == ROOT.length() || path.charAt(ROOT.length()) == '/');
  }

  /// Whether a request is for the names of item spaces.
  static boolean isOfNames(String uri) {
    return path(uri).length() <= ROOT.length() + 1;
  }

  /// The address of a request for items.
  ///
  /// @throws IllegalArgumentException if it is none
  static ItemAddress of(String uri) {
    String path = path(uri);
    PageRequest page =
        path.length() == uri.length() ? null : PageRequest.of(uri.substring(path.length() + 1));
    List<String> names = new ArrayList<>();
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    for (String part : path.substring(ROOT.length() + 1, end).split("/", -1)) {
      names.add(UriPart.decoded(part));
    }
    if (names.getFirst().isEmpty()) {
      throw new IllegalArgumentException("the address has no item space");
    }
    return new ItemAddress(
        names.getFirst(), ItemJson.prefix(names.subList(1, names.size())), path, page);
  }

  /// A link to the page that begins after a name.
  String linkAfter(PageRequest asked, String name) {
    return link(path + asked.following(name), "next");
  }

  /// A link to the first page of what follows a name.
  String linkTo(PageRequest asked, String name) {
    String part = UriPart.encoded(SHORTENED.contains(name) ? "@string:" + name : name);
    return link(path + (path.endsWith("/") ? "" : "/") + part + asked.first(), "item");
  }

  private static String link(String address, String relation) {
    return "<" + address.replace(">", "%3E") + ">; rel=\"" + relation + "\"";
  }

  private static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }
}
