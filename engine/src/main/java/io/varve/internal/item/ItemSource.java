package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Space;
import java.util.function.Supplier;

/// What a cursor reads: the live levels of an item space, or those that a snapshot holds.
interface ItemSource {
  /// The levels as of now.
  ItemState state();

  /// The space below all levels.
  Space main();

  /// A cursor over the entries of a space in a range.
  Cursor cursor(Space space, Range range);

  /// Runs `read` while the levels below the overlays stay as they are.
  <T> T whileStill(Supplier<T> read);
}
