package io.varve.item;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// The items that a cursor comes to, in ascending order.
final class ItemIterator implements Iterator<Item> {
  private final ItemCursor cursor;
  private @Nullable Item next;

  ItemIterator(ItemCursor cursor) {
    this.cursor = cursor;
    this.next = cursor.first() ? cursor.item() : null;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Item next() {
    Item item = next;
    if (item == null) {
      throw new NoSuchElementException();
    }
    next = cursor.next() ? cursor.item() : null;
    return item;
  }
}
