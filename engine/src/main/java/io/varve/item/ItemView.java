package io.varve.item;

import java.io.InputStream;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/// Reads of a set of items.
///
/// @since 1.0
public sealed interface ItemView permits ItemSpace, ItemSnapshot {
  /// Whether the item is there.
  default boolean contains(Item item) {
    ItemCursor cursor = cursor(item);
    // The first that starts with it.
    return cursor.first() && cursor.byteLength() == item.byteLength();
  }

  /// The number of items that start with `prefix`, as of one point in the commit order.
  long count(Item prefix);

  /// The number of items.
  default long count() {
    return count(Item.empty());
  }

  /// A cursor over the items that start with `prefix`, before the first.
  ItemCursor cursor(Item prefix);

  /// A cursor over all items, before the first.
  default ItemCursor cursor() {
    return cursor(Item.empty());
  }

  /// The items that start with `prefix`, in order. Each call of `iterator()` begins again.
  default Iterable<Item> scan(Item prefix) {
    return () -> new ItemIterator(cursor(prefix));
  }

  /// All items, in order.
  default Iterable<Item> scan() {
    return scan(Item.empty());
  }

  /// The long binary that [ItemSpace#outputStream(Item)] left under a prefix; empty if there is
  /// none. Holds one chunk at a time.
  InputStream inputStream(Item prefix);

  /// The long text that [ItemSpace#writer(Item)] left under a prefix; empty if there is none. Holds
  /// one chunk at a time.
  Reader reader(Item prefix);

  /// The first item at or after `item`, or null.
  ///
  /// @param protectedComponents how many components at the start must be as in `item`
  default @Nullable Item first(Item item, int protectedComponents) {
    ItemCursor cursor = cursor(item.prefix(protectedComponents));
    return cursor.first(item) ? cursor.item() : null;
  }

  /// The first item after `item`, or null.
  ///
  /// @param protectedComponents how many components at the start must be as in `item`
  default @Nullable Item next(Item item, int protectedComponents) {
    ItemCursor cursor = cursor(item.prefix(protectedComponents));
    return cursor.next(item) ? cursor.item() : null;
  }

  /// The last item at or before `item`, or null.
  ///
  /// @param protectedComponents how many components at the start must be as in `item`
  default @Nullable Item last(Item item, int protectedComponents) {
    ItemCursor cursor = cursor(item.prefix(protectedComponents));
    return cursor.last(item) ? cursor.item() : null;
  }

  /// The last item before `item`, or null.
  ///
  /// @param protectedComponents how many components at the start must be as in `item`
  default @Nullable Item previous(Item item, int protectedComponents) {
    ItemCursor cursor = cursor(item.prefix(protectedComponents));
    return cursor.previous(item) ? cursor.item() : null;
  }
}
