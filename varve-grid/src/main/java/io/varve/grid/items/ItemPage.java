package io.varve.grid.items;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemView;
import io.varve.json.ItemJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The items of some names that follow each other after a prefix, of one state.
///
/// - PAGE-1 The items of a name are on one page. So a name that is there while all pages are read
///   is on one of them, whatever is written before and after it concurrently.
/// - PAGE-2 A page ends before the name with which it would take more than [#BYTES_MAX], or than an
///   answer may have. It may be longer with its first name alone. What it takes is known before
///   anything is held.
/// - PAGE-3 A first name that is too long for any page is named, so that a client can continue
///   after it.
final class ItemPage {
  /// Of memory, as [PrefixFigures] counts it: less than what a platform thread works on.
  private static final long BYTES_MAX = MemoryBudget.LARGE_BYTES - 1;

  /// Read before other requests have a turn, as in [PrefixFigures].
  private static final int ITEMS_IN_A_ROW_MAX = 1_000;

  /// A name, and how many items there are of it. The name of the item that ends with the prefix is
  /// empty.
  private record Named(String name, Item prefix, long items) {}

  private final Item prefix;
  private final long bytesMax;
  private final List<Named> names = new ArrayList<>();
  private long items;
  private long jsonBytes;
  private boolean isLast = true;
  private @Nullable String tooLargeName;

  private ItemPage(Item prefix, long bytesMax) {
    this.prefix = prefix;
    this.bytesMax = Math.min(BYTES_MAX, bytesMax);
  }

  /// Finds what is on a page.
  ///
  /// @param budget that the first name may exceed: it is not looked through to its end then
  /// @param bytesMax of an answer
  static ItemPage find(
      ItemView view, Item prefix, PageRequest asked, MemoryBudget budget, long bytesMax) {
    var page = new ItemPage(prefix, bytesMax);
    ItemCursor cursor = view.cursor(prefix);
    Item after = asked.afterItem(prefix);
    boolean more = after == null ? cursor.next() : cursor.next(lastOf(view, prefix, after));
    while (more && page.isLast) {
      if (page.names.size() == asked.namesMax()) {
        page.isLast = false;
      } else {
        more = page.add(cursor, budget);
      }
    }
    return page;
  }

  /// The last item of a name, which may be there no more.
  private static Item lastOf(ItemView view, Item prefix, Item name) {
    if (name.size() == prefix.size()) {
      return name; // It is an item, and others continue from there.
    }
    ItemCursor cursor = view.cursor(name);
    return cursor.last() ? cursor.item() : name;
  }

  /// Adds the name of the item that a cursor is on, if it fits (PAGE-2).
  ///
  /// @return whether the cursor is on another name
  @SuppressWarnings("ThreadPriorityCheck") // A turn for others, on which nothing depends.
  private boolean add(ItemCursor cursor, MemoryBudget budget) {
    boolean isEnd = cursor.size() == prefix.size();
    Item name = isEnd ? prefix : cursor.item().prefix(prefix.size() + 1);
    long count = 0;
    long bytes = jsonBytes;
    boolean more;
    do {
      bytes += PrefixFigures.jsonBytes(cursor, prefix);
      if (names.isEmpty() && !budget.allows(bytes)) {
        tooLargeName = named(name); // PAGE-3
      }
      if (tooLargeName != null || (!names.isEmpty() && bytes > bytesMax)) {
        isLast = false;
        return true;
      }
      count++;
      if (count % ITEMS_IN_A_ROW_MAX == 0) {
        Thread.yield();
      }
      more = cursor.next();
    } while (more && !isEnd && cursor.item().startsWith(name));
    names.add(new Named(named(name), name, count));
    items += count;
    jsonBytes = bytes;
    return more;
  }

  private String named(Item name) {
    return name.size() == prefix.size() ? "" : ItemJson.name(name, prefix.size());
  }

  /// Whether there is nothing after the name that the page was to begin after.
  boolean isEmpty() {
    return names.isEmpty() && isLast;
  }

  /// The first name, if it is too long for any page.
  @Nullable String tooLargeName() {
    return tooLargeName;
  }

  /// The first name of a page that is not empty.
  String firstName() {
    return names.getFirst().name();
  }

  /// How many items there are.
  long items() {
    return items;
  }

  /// Memory that their JSON takes at most.
  long jsonBytes() {
    return jsonBytes;
  }

  /// The name after which the next page begins, if there is one.
  Optional<String> next() {
    return isLast ? Optional.empty() : Optional.of(names.getLast().name());
  }

  /// The items by their names, of the view that they were found in.
  ObjectNode read(ItemView view) {
    ObjectNode read = JsonNodeFactory.instance.objectNode();
    for (Named named : names) {
      if (named.name().isEmpty()) {
        read.putNull("");
      } else {
        read.set(named.name(), ItemJson.read(view, named.prefix(), named.items()));
      }
    }
    return read;
  }
}
