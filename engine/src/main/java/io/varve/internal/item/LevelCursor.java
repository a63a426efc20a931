package io.varve.internal.item;

import io.varve.Cursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A position in one level, for [MergedCursor]. It is on an entry, which records that an item was
/// inserted or deleted, or on none. For one thread at a time.
sealed interface LevelCursor {
  /// The prefix of a key under which older levels do not count, or null.
  byte @Nullable [] cleared(byte[] key, int length);

  /// Moves to the least entry at or, if `after`, after a key.
  boolean seek(byte[] key, int length, boolean after);

  /// Moves to the greatest entry at or, if `before`, before a key.
  boolean seekBack(byte[] key, int length, boolean before);

  boolean next();

  boolean previous();

  /// Whether this is on an entry.
  boolean isOn();

  /// Holds the item in its first [#length()] bytes; valid until the next move.
  byte[] key();

  int length();

  boolean isDeleted();

  /// Of an overlay, which has no bounds of its own.
  final class OfOverlay implements LevelCursor {
    private final Overlay.Position position = Overlay.EMPTY.position();
    private final byte[] from;
    private final byte[] to;
    private boolean on;

    OfOverlay(byte[] from, byte[] to) {
      this.from = from;
      this.to = to;
    }

    Overlay overlay() {
      return position.overlay();
    }

    void on(Overlay overlay) {
      position.on(overlay);
      on = false;
    }

    @Override
    public byte @Nullable [] cleared(byte[] key, int length) {
      return position.overlay().cleared().of(key, length);
    }

    private boolean settle(boolean found) {
      on = found && isWithin(position.key());
      return on;
    }

    private boolean isWithin(byte[] key) {
      return Arrays.compareUnsigned(key, from) >= 0 && Arrays.compareUnsigned(key, to) < 0;
    }

    @Override
    public boolean seek(byte[] key, int length, boolean after) {
      return settle(position.seek(key, length, after));
    }

    @Override
    public boolean seekBack(byte[] key, int length, boolean before) {
      return settle(position.seekBack(key, length, before));
    }

    @Override
    public boolean next() {
      return settle(position.next());
    }

    @Override
    public boolean previous() {
      return settle(position.previous());
    }

    @Override
    public boolean isOn() {
      return on;
    }

    @Override
    public byte[] key() {
      return position.key();
    }

    @Override
    public int length() {
      return position.key().length;
    }

    @Override
    public boolean isDeleted() {
      return position.isDeleted();
    }
  }

  /// Of a space of the store, whose cursor is bounded.
  final class OfSpace implements LevelCursor {
    private static final int KEY_BYTES = 64;

    private final Cursor cursor;
    private final @Nullable ClearedRows cleared;
    private byte[] key = new byte[KEY_BYTES];
    private int length;
    private boolean on;
    private boolean deleted;

    /// @param cleared of a layer, where values mark what was deleted; null for the main space,
    ///   where all items are present
    OfSpace(Cursor cursor, @Nullable ClearedRows cleared) {
      this.cursor = cursor;
      this.cleared = cleared;
    }

    @Override
    public byte @Nullable [] cleared(byte[] of, int ofLength) {
      return cleared == null ? null : cleared.of(of, ofLength);
    }

    private boolean settle(boolean found) {
      on = found;
      if (found) {
        length = cursor.readKey(key);
        if (length > key.length) {
          key = new byte[Integer.highestOneBit(length) * 2];
          length = cursor.readKey(key);
        }
        deleted = cleared != null && Layer.isDeleted(cursor.valueLength());
      }
      return found;
    }

    @Override
    public boolean seek(byte[] target, int targetLength, boolean after) {
      // The key right after any is that key and a zero byte.
      return settle(cursor.seek(Arrays.copyOf(target, after ? targetLength + 1 : targetLength)));
    }

    @Override
    public boolean seekBack(byte[] target, int targetLength, boolean before) {
      boolean found = settle(cursor.seekFloor(Arrays.copyOf(target, targetLength)));
      boolean isTarget = found && Arrays.equals(key, 0, length, target, 0, targetLength);
      return (before && isTarget) ? previous() : found;
    }

    @Override
    public boolean next() {
      return settle(cursor.next());
    }

    @Override
    public boolean previous() {
      return settle(cursor.previous());
    }

    @Override
    public boolean isOn() {
      return on;
    }

    @Override
    public byte[] key() {
      return key;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public boolean isDeleted() {
      return deleted;
    }
  }
}
