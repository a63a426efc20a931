package io.varve.internal.item;

import io.varve.Range;
import io.varve.Space;
import io.varve.item.Item;
import io.varve.item.ItemCursor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The items under a prefix, of all levels: of each item the newest entry counts, unless a level
/// newer than that clears it.
///
/// A move takes the state of the source, moves, and looks whether the levels below the overlays are
/// the same still (S2 of [ItemState]). If not, it moves again from where it was; after some times,
/// while nobody can change them.
final class MergedCursor extends ItemCursor {
  /// Moves that are made again before the levels are held still.
  private static final int ATTEMPTS = 16;

  private static final int ITEM_BYTES = 64;

  /// Where a cursor is: before the first entry, on an entry, or after the last.
  enum Place {
    BEFORE,
    ON,
    AFTER
  }

  private final ItemSource source;

  /// The prefix, and the end of what starts with it.
  private final byte[] from;

  private final byte[] to;

  private final LevelCursor.OfOverlay open;
  private final LevelCursor.OfOverlay frozen;

  /// The levels, newest first.
  private LevelCursor[] levels = {};

  /// The state whose levels these are.
  private @Nullable ItemState state;

  /// Whether the levels are where the last move left them: on the item or beyond it in that
  /// direction.
  private boolean inStep;

  private boolean forward;
  private Place place = Place.BEFORE;

  /// The item, and the array for the next.
  private byte[] item = new byte[ITEM_BYTES];

  private int itemLength;
  private byte[] spare = new byte[ITEM_BYTES];
  private int spareLength;

  MergedCursor(ItemSource source, byte[] prefix) {
    this.source = source;
    this.from = prefix;
    this.to = ItemBytes.endOf(prefix);
    this.open = new LevelCursor.OfOverlay(from, to);
    this.frozen = new LevelCursor.OfOverlay(from, to);
  }

  @Override
  protected void requireShown() {
    if (place != Place.ON) {
      throw new IllegalStateException(
          "the cursor stands on no item; move it and look at the result first");
    }
  }

  @Override
  public boolean first() {
    return forward(from, from.length, false);
  }

  @Override
  public boolean last() {
    return backward(to, to.length, true);
  }

  @Override
  public boolean first(Item at) {
    return seek(at.toBytes(), false);
  }

  @Override
  public boolean next(Item after) {
    return seek(after.toBytes(), true);
  }

  @Override
  public boolean last(Item at) {
    return seekBack(at.toBytes(), false);
  }

  @Override
  public boolean previous(Item before) {
    return seekBack(before.toBytes(), true);
  }

  /// Moves to the first item at or, if `after`, after any bytes.
  boolean seek(byte[] key, boolean after) {
    return Arrays.compareUnsigned(key, from) < 0 ? first() : forward(key, key.length, after);
  }

  /// Moves to the last item at or, if `before`, before any bytes.
  boolean seekBack(byte[] key, boolean before) {
    return Arrays.compareUnsigned(key, to) >= 0 ? last() : backward(key, key.length, before);
  }

  private boolean forward(byte[] key, int length, boolean after) {
    inStep = false;
    return move(key, length, after, true);
  }

  private boolean backward(byte[] key, int length, boolean before) {
    inStep = false;
    return move(key, length, before, false);
  }

  @Override
  public boolean next() {
    return switch (place) {
      case BEFORE -> first();
      case ON -> move(item, itemLength, true, true);
      case AFTER -> false;
    };
  }

  @Override
  public boolean previous() {
    return switch (place) {
      case BEFORE -> false;
      case ON -> move(item, itemLength, true, false);
      case AFTER -> last();
    };
  }

  /// Moves from a key, which is that of the current item if the levels are in step.
  private boolean move(byte[] key, int length, boolean beyond, boolean ahead) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ItemState now = source.state();
      try {
        boolean found = tryMove(now, key, length, beyond, ahead);
        if (source.state().isSameBelow(now)) {
          return settle(found, ahead);
        }
      } catch (RuntimeException e) {
        inStep = false;
        if (source.state().isSameBelow(now)) {
          throw e;
        }
        // A layer was dropped while this read it: all that it held is in the main space.
      }
      inStep = false;
    }
    return source.whileStill(
        () -> settle(tryMove(source.state(), key, length, beyond, ahead), ahead));
  }

  private boolean settle(boolean found, boolean ahead) {
    forward = ahead;
    inStep = found;
    if (found) {
      byte[] other = item;
      item = spare;
      itemLength = spareLength;
      spare = other;
      place = Place.ON;
      show(item, itemLength);
    } else {
      place = ahead ? Place.AFTER : Place.BEFORE;
    }
    return found;
  }

  private boolean tryMove(ItemState now, byte[] key, int length, boolean beyond, boolean ahead) {
    boolean stepping = inStep && forward == ahead && takeOver(now, key, length, ahead);
    if (!stepping) {
      if (state == null || !now.isSameBelow(state)) {
        levels = levelsOf(now);
      }
      open.on(now.open());
      frozen.on(now.frozen());
      for (LevelCursor level : levels) {
        seek(level, key, length, beyond, ahead);
      }
    } else {
      leave(key, length, ahead);
    }
    state = now;
    return findItem(ahead);
  }

  /// Takes over the open changes of `now`, if those are all that is new.
  ///
  /// @return false if more is new
  @SuppressWarnings("ReferenceEquality") // the same overlay, or prefixes, are the same state
  private boolean takeOver(ItemState now, byte[] key, int length, boolean ahead) {
    if (state == null || !now.isSameBelow(state)) {
      return false;
    }
    if (open.overlay() != now.open()) {
      if (open.overlay().cleared() != now.open().cleared()) {
        return false; // levels below may be past what was cleared, and is not any more
      }
      open.on(now.open());
      seek(open, key, length, true, ahead);
    }
    return true;
  }

  private static boolean seek(
      LevelCursor level, byte[] key, int length, boolean beyond, boolean ahead) {
    return ahead ? level.seek(key, length, beyond) : level.seekBack(key, length, beyond);
  }

  private LevelCursor[] levelsOf(ItemState now) {
    List<Layer> layers = now.layers().newestFirst();
    LevelCursor[] all = new LevelCursor[layers.size() + 3];
    all[0] = open;
    all[1] = frozen;
    Range range = Range.of(from, to);
    for (int i = 0; i < layers.size(); i++) {
      Space space = layers.get(i).space();
      ClearedRows cleared = new ClearedRows(source.cursor(space, ClearedRows.RANGE));
      all[i + 2] = new LevelCursor.OfSpace(source.cursor(space, range), cleared);
    }
    all[all.length - 1] = new LevelCursor.OfSpace(source.cursor(source.main(), range), null);
    return all;
  }

  /// Finds the nearest item that is there, from where the levels are, and copies it.
  private boolean findItem(boolean ahead) {
    while (true) {
      LevelCursor nearest = null;
      int at = 0;
      for (int i = 0; i < levels.length; i++) {
        LevelCursor level = levels[i];
        if (level.isOn() && (nearest == null || isNearer(level, nearest, ahead))) {
          nearest = level;
          at = i;
        }
      }
      if (nearest == null) {
        return false;
      }
      byte[] cleared = clearedAbove(at, nearest);
      if (cleared != null) {
        skip(nearest, cleared, ahead);
        continue;
      }
      spareLength = nearest.length();
      if (spare.length < spareLength) {
        spare = new byte[Integer.highestOneBit(spareLength) * 2];
      }
      System.arraycopy(nearest.key(), 0, spare, 0, spareLength);
      if (!nearest.isDeleted()) {
        return true;
      }
      leave(spare, spareLength, ahead);
    }
  }

  private static boolean isNearer(LevelCursor level, LevelCursor nearest, boolean ahead) {
    int order =
        Arrays.compareUnsigned(level.key(), 0, level.length(), nearest.key(), 0, nearest.length());
    return ahead ? order < 0 : order > 0;
  }

  /// The prefix by which a level above clears the entry of a level, or null.
  private byte @Nullable [] clearedAbove(int at, LevelCursor level) {
    for (int i = 0; i < at; i++) {
      byte[] prefix = levels[i].cleared(level.key(), level.length());
      if (prefix != null) {
        return prefix;
      }
    }
    return null;
  }

  private static void skip(LevelCursor level, byte[] prefix, boolean ahead) {
    if (ahead) {
      byte[] end = ItemBytes.endOf(prefix);
      level.seek(end, end.length, false);
    } else {
      level.seekBack(prefix, prefix.length, true);
    }
  }

  /// Moves all levels that are on a key away from it.
  private void leave(byte[] key, int length, boolean ahead) {
    for (LevelCursor level : levels) {
      if (level.isOn() && Arrays.equals(level.key(), 0, level.length(), key, 0, length)) {
        boolean _ = ahead ? level.next() : level.previous();
      }
    }
  }
}
