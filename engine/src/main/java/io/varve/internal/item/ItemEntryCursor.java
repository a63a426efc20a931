package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.StoreClosedException;
import io.varve.internal.item.MergedCursor.Place;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A cursor over items under a prefix as entries ([ItemEntries]).
///
/// A bound of the range is any bytes, and need be no key: items are sought by it, and then looked
/// at by their keys, for an item follows every bound that its own key starts.
final class ItemEntryCursor implements Cursor {
  private final ItemKeys keys;
  private final byte[] from;
  private final byte[] to;
  private final MergedCursor items;

  private Place place = Place.BEFORE;
  private boolean closed;

  /// The item, and where its key ends.
  private byte[] item = {};

  private int keyEnd;

  /// @param items all with the prefix of `keys`
  ItemEntryCursor(MergedCursor items, ItemKeys keys, byte[] from, byte[] to) {
    this.items = items;
    this.keys = keys;
    this.from = from;
    this.to = to;
  }

  private void requireOpen() {
    if (closed) {
      throw new StoreClosedException("the cursor is closed");
    }
  }

  /// Takes the item that the cursor is on.
  private void take() {
    item = items.toBytes();
    keyEnd = keys.end(item, item.length);
  }

  private int compareKey(byte[] bound) {
    return Arrays.compareUnsigned(item, keys.prefix().length, keyEnd, bound, 0, bound.length);
  }

  @Override
  public boolean first() {
    return seek(from);
  }

  @Override
  public boolean seek(byte[] key) {
    requireOpen();
    byte[] least = Arrays.compareUnsigned(key, from) < 0 ? from : key;
    boolean on = items.seek(keys.itemOf(least), false);
    while (on) {
      take();
      if (compareKey(least) >= 0) {
        return settle(compareKey(to) < 0, Place.AFTER);
      }
      on = items.next();
    }
    return settle(false, Place.AFTER);
  }

  @Override
  public boolean last() {
    return seekBelow(to);
  }

  @Override
  public boolean seekFloor(byte[] key) {
    byte[] after = Arrays.copyOf(key, key.length + 1);
    return seekBelow(Arrays.compareUnsigned(after, to) < 0 ? after : to);
  }

  /// Moves to the entry of the greatest key below a bound.
  private boolean seekBelow(byte[] bound) {
    requireOpen();
    byte[] target = keys.itemOf(bound);
    boolean on = items.seek(target, false);
    if (on) {
      take();
      on = compareKey(bound) < 0; // the bound is longer than the key
    }
    if (!on) {
      on = items.seekBack(target, true);
    }
    return on ? settleOnFirstOfKey() : settle(false, Place.BEFORE);
  }

  /// Moves to the first item that has the key of this one.
  private boolean settleOnFirstOfKey() {
    take();
    if (items.seek(Arrays.copyOf(item, keyEnd), false)) {
      take();
    }
    return settle(compareKey(from) >= 0, Place.BEFORE);
  }

  private boolean settle(boolean on, Place beyond) {
    place = on ? Place.ON : beyond;
    return on;
  }

  @Override
  public boolean next() {
    requireOpen();
    if (place != Place.ON) {
      return place == Place.BEFORE && first();
    }
    byte[] key = Arrays.copyOf(item, keyEnd);
    boolean on = items.next();
    while (on) {
      take();
      if (!ItemBytes.startsWith(item, item.length, key)) {
        return settle(compareKey(to) < 0, Place.AFTER);
      }
      on = items.next();
    }
    return settle(false, Place.AFTER);
  }

  @Override
  public boolean previous() {
    requireOpen();
    if (place != Place.ON) {
      return place == Place.AFTER && last();
    }
    return items.seekBack(Arrays.copyOf(item, keyEnd), true)
        ? settleOnFirstOfKey()
        : settle(false, Place.BEFORE);
  }

  private void requireEntry() {
    requireOpen();
    if (place != Place.ON) {
      throw new IllegalStateException(
          "the cursor stands on no entry; move it and look at the result first");
    }
  }

  @Override
  public byte[] key() {
    requireEntry();
    return Arrays.copyOfRange(item, keys.prefix().length, keyEnd);
  }

  @Override
  public byte[] value() {
    requireEntry();
    return Arrays.copyOfRange(item, keyEnd, item.length);
  }

  @Override
  public int readKey(byte[] target) {
    requireEntry();
    int start = keys.prefix().length;
    int length = keyEnd - start;
    System.arraycopy(item, start, target, 0, Math.min(length, target.length));
    return length;
  }

  @Override
  public int readValue(byte[] target) {
    int length = valueLength();
    System.arraycopy(item, keyEnd, target, 0, Math.min(length, target.length));
    return length;
  }

  @Override
  public int valueLength() {
    requireEntry();
    return item.length - keyEnd;
  }

  @Override
  public MemorySegment valueSegment() {
    requireEntry();
    return MemorySegment.ofArray(item).asSlice(keyEnd).asReadOnly();
  }

  @Override
  public InputStream valueStream() {
    return new ByteArrayInputStream(value());
  }

  @Override
  public void close() {
    closed = true;
  }
}
