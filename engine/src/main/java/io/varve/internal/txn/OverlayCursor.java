package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.internal.file.PageFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// A cursor over what a transaction reads with its own writes merged over it.
///
/// Both sides are on the entries nearest to the current one in the direction of the last move. The
/// current entry is the nearer of the two, the transaction's own where both have the key.
final class OverlayCursor implements Cursor {
  private final EntryCursor base;
  private final NavigableMap<byte[], @Nullable NewValue> writes;
  private final PageFile file;

  private enum Place {
    BEFORE,
    ON,
    AFTER
  }

  private Place place = Place.BEFORE;
  private byte @Nullable [] key;

  /// The transaction's own value if the current entry is one.
  private @Nullable NewValue own;

  /// @param writes the transaction's writes that are in the cursor's range
  OverlayCursor(EntryCursor base, NavigableMap<byte[], @Nullable NewValue> writes, PageFile file) {
    this.base = base;
    this.writes = writes;
    this.file = file;
  }

  @Override
  public boolean first() {
    return settleForward(base.first(), writes.firstEntry());
  }

  @Override
  public boolean last() {
    return settleBackward(base.last(), writes.lastEntry());
  }

  @Override
  public boolean seek(byte[] target) {
    return settleForward(base.seek(target), writes.ceilingEntry(target));
  }

  @Override
  public boolean seekFloor(byte[] target) {
    return settleBackward(base.seekFloor(target), writes.floorEntry(target));
  }

  @Override
  public boolean next() {
    byte[] current = key;
    if (place != Place.ON || current == null) {
      return place == Place.BEFORE && first();
    }
    return settleForward(
        base.seek(Arrays.copyOf(current, current.length + 1)), writes.higherEntry(current));
  }

  @Override
  public boolean previous() {
    byte[] current = key;
    if (place != Place.ON || current == null) {
      return place == Place.AFTER && last();
    }
    boolean onBase = base.seekFloor(current);
    if (onBase && Arrays.equals(base.key(), current)) {
      onBase = base.previous();
    }
    return settleBackward(onBase, writes.lowerEntry(current));
  }

  private boolean settleForward(
      boolean onBase, Map.@Nullable Entry<byte[], @Nullable NewValue> firstWrite) {
    Map.Entry<byte[], @Nullable NewValue> write = firstWrite;
    boolean more = onBase;
    while (true) {
      byte[] baseKey = more ? base.key() : null;
      if (write == null) {
        return settle(baseKey, null, Place.AFTER);
      }
      int order = baseKey == null ? -1 : Arrays.compareUnsigned(write.getKey(), baseKey);
      if (order > 0) {
        return settle(baseKey, null, Place.AFTER);
      }
      if (write.getValue() != null) {
        return settle(write.getKey(), write.getValue(), Place.AFTER);
      }
      if (order == 0) {
        more = base.next();
      }
      write = writes.higherEntry(write.getKey());
    }
  }

  private boolean settleBackward(
      boolean onBase, Map.@Nullable Entry<byte[], @Nullable NewValue> lastWrite) {
    Map.Entry<byte[], @Nullable NewValue> write = lastWrite;
    boolean more = onBase;
    while (true) {
      byte[] baseKey = more ? base.key() : null;
      if (write == null) {
        return settle(baseKey, null, Place.BEFORE);
      }
      int order = baseKey == null ? 1 : Arrays.compareUnsigned(write.getKey(), baseKey);
      if (order < 0) {
        return settle(baseKey, null, Place.BEFORE);
      }
      if (write.getValue() != null) {
        return settle(write.getKey(), write.getValue(), Place.BEFORE);
      }
      if (order == 0) {
        more = base.previous();
      }
      write = writes.lowerEntry(write.getKey());
    }
  }

  private boolean settle(byte @Nullable [] at, @Nullable NewValue value, Place beyond) {
    key = at;
    own = value;
    place = at == null ? beyond : Place.ON;
    return at != null;
  }

  private byte[] requireKey() {
    base.requireOpen();
    byte[] current = key;
    if (current == null) {
      throw EntryCursor.standsOnNoEntry();
    }
    return current;
  }

  @Override
  public byte[] key() {
    return requireKey().clone();
  }

  @Override
  public byte[] value() {
    requireKey();
    NewValue mine = own;
    return mine == null ? base.value() : mine.stored().read(file).clone();
  }

  @Override
  public int readKey(byte[] target) {
    byte[] current = requireKey();
    System.arraycopy(current, 0, target, 0, Math.min(current.length, target.length));
    return current.length;
  }

  @Override
  public int readValue(byte[] target) {
    requireKey();
    if (own == null) {
      return base.readValue(target);
    }
    byte[] value = value();
    System.arraycopy(value, 0, target, 0, Math.min(value.length, target.length));
    return value.length;
  }

  @Override
  public int valueLength() {
    requireKey();
    return own == null ? base.valueLength() : value().length;
  }

  @Override
  public MemorySegment valueSegment() {
    requireKey();
    return own == null ? base.valueSegment() : MemorySegment.ofArray(value()).asReadOnly();
  }

  @Override
  public InputStream valueStream() {
    requireKey();
    return own == null ? base.valueStream() : new ByteArrayInputStream(value());
  }

  @Override
  public void close() {
    base.close();
  }
}
