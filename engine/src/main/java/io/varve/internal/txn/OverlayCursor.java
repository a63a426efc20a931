package io.varve.internal.txn;

import io.varve.Cursor;
import io.varve.internal.file.PageFile;
import io.varve.internal.tree.TreeCursor.Place;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// A cursor over what a transaction reads with its own writes merged over it, those that were made
/// before the cursor was opened.
///
/// Both sides are on the entries nearest to the current one in the direction of the last move. The
/// current entry is the nearer of the two, the transaction's own where both have the key.
final class OverlayCursor implements Cursor {
  private final EntryCursor base;
  private final NavigableMap<byte[], KeyWrite> writes;
  private final int count;
  private final PageFile file;

  private Place place = Place.BEFORE;
  private byte @Nullable [] key;

  /// The transaction's own value if the current entry is one.
  private @Nullable NewValue own;

  /// The write that the last move compared and left for the next one in its direction, which is
  /// after the current entry or before it; null if there is none, or if it is not known.
  private @Nullable OwnWrite waiting;

  /// Where the waiting write is, if it is known: then keys that were written since are not passed
  /// again. [Place#ON] if it is not.
  private Place waits = Place.ON;

  /// A write that counts.
  private record OwnWrite(byte[] key, @Nullable NewValue value) {}

  /// @param writes the transaction's writes that are in the cursor's range
  /// @param count how many writes to the space there are now; later ones do not count
  OverlayCursor(EntryCursor base, NavigableMap<byte[], KeyWrite> writes, int count, PageFile file) {
    this.base = base;
    this.writes = writes;
    this.count = count;
    this.file = file;
  }

  /// The first write that counts, from an entry on.
  private @Nullable OwnWrite after(Map.@Nullable Entry<byte[], KeyWrite> from) {
    Map.Entry<byte[], KeyWrite> at = from;
    while (at != null) {
      KeyWrite write = at.getValue().among(count);
      if (write != null) {
        return new OwnWrite(at.getKey(), write.value());
      }
      at = writes.higherEntry(at.getKey());
    }
    return null;
  }

  /// The last write that counts, up to an entry.
  private @Nullable OwnWrite before(Map.@Nullable Entry<byte[], KeyWrite> upTo) {
    Map.Entry<byte[], KeyWrite> at = upTo;
    while (at != null) {
      KeyWrite write = at.getValue().among(count);
      if (write != null) {
        return new OwnWrite(at.getKey(), write.value());
      }
      at = writes.lowerEntry(at.getKey());
    }
    return null;
  }

  @Override
  public boolean first() {
    return settleForward(base.first(), after(writes.firstEntry()));
  }

  @Override
  public boolean last() {
    return settleBackward(base.last(), before(writes.lastEntry()));
  }

  @Override
  public boolean seek(byte[] target) {
    return settleForward(base.seek(target), after(writes.ceilingEntry(target)));
  }

  @Override
  public boolean seekFloor(byte[] target) {
    return settleBackward(base.seekFloor(target), before(writes.floorEntry(target)));
  }

  @Override
  public boolean next() {
    byte[] current = key;
    if (place != Place.ON || current == null) {
      return place == Place.BEFORE && first();
    }
    OwnWrite write = waits == Place.AFTER ? waiting : after(writes.higherEntry(current));
    return settleForward(base.seek(Arrays.copyOf(current, current.length + 1)), write);
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
    return settleBackward(
        onBase, waits == Place.BEFORE ? waiting : before(writes.lowerEntry(current)));
  }

  private boolean settleForward(boolean onBase, @Nullable OwnWrite firstWrite) {
    OwnWrite write = firstWrite;
    boolean more = onBase;
    while (true) {
      byte[] baseKey = more ? base.key() : null;
      int order =
          write == null ? 1 : baseKey == null ? -1 : Arrays.compareUnsigned(write.key(), baseKey);
      if (write == null || order > 0) {
        return settleOnBase(baseKey, write, Place.AFTER);
      }
      if (write.value() != null) {
        return settle(write.key(), write.value(), Place.AFTER);
      }
      if (order == 0) {
        more = base.next();
      }
      write = after(writes.higherEntry(write.key()));
    }
  }

  private boolean settleBackward(boolean onBase, @Nullable OwnWrite lastWrite) {
    OwnWrite write = lastWrite;
    boolean more = onBase;
    while (true) {
      byte[] baseKey = more ? base.key() : null;
      int order =
          write == null ? -1 : baseKey == null ? 1 : Arrays.compareUnsigned(write.key(), baseKey);
      if (write == null || order < 0) {
        return settleOnBase(baseKey, write, Place.BEFORE);
      }
      if (write.value() != null) {
        return settle(write.key(), write.value(), Place.BEFORE);
      }
      if (order == 0) {
        more = base.previous();
      }
      write = before(writes.lowerEntry(write.key()));
    }
  }

  /// @param next the write that comes after the entry in the direction of the move
  private boolean settleOnBase(byte @Nullable [] at, @Nullable OwnWrite next, Place beyond) {
    boolean isThere = settle(at, null, beyond);
    waiting = next;
    waits = beyond;
    return isThere;
  }

  private boolean settle(byte @Nullable [] at, @Nullable NewValue value, Place beyond) {
    waiting = null;
    waits = Place.ON;
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
