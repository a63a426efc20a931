package io.varve.item;

/// A position in the order of the items under a prefix. It is on an item, whose components it reads
/// in place, or on none. It moves both ways, from where it is or to a position that is given. Moves
/// return false, and the cursor is on no item, if there is none under the prefix: the prefix is
/// protected.
///
/// A cursor may be used as often as wanted, and holds nothing that must be released. Moving to the
/// next item and reading its numbers allocates nothing.
///
/// Each move shows one state of the set: a change that [ItemSpace#update] or
/// [ItemSpace#deleteSubspace] makes is seen whole or not at all. From move to move a cursor of an
/// [ItemSpace] sees what was changed concurrently; one of an [ItemSnapshot] does not.
///
/// For one thread at a time.
///
/// @since 1.0
public abstract class ItemCursor extends Components {
  /// Makes a cursor that is before the first item.
  protected ItemCursor() {}

  /// Moves to the first item.
  public abstract boolean first();

  /// Moves to the last item.
  public abstract boolean last();

  /// Moves to the first item at or after `item`, be it under the prefix or not.
  public abstract boolean first(Item item);

  /// Moves to the first item after `item`.
  public abstract boolean next(Item item);

  /// Moves to the last item at or before `item`.
  public abstract boolean last(Item item);

  /// Moves to the last item before `item`.
  public abstract boolean previous(Item item);

  /// Moves to the next item; to the first if the cursor has not moved, or came out at the front.
  public abstract boolean next();

  /// Moves to the item before; to the last if the cursor came out at the end.
  public abstract boolean previous();

  /// A copy of the item that the cursor is on.
  ///
  /// @throws IllegalStateException if it is on none
  public final Item item() {
    return Item.ofEncoded(toBytes());
  }
}
