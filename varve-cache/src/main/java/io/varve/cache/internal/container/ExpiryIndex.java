package io.varve.cache.internal.container;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Range;
import io.varve.Space;
import io.varve.Transaction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;

/// The entries of a space that have an end, in the order of their ends: a purge that looks for
/// expired entries reads no other.
///
/// (X1) An entry that has an end has the index key of that end, and no other: both change in one
/// transaction. A store that was salvaged may hold less, or more: an entry without an index key
/// goes when it is asked for, an index key without its entry goes when its time has come ([#drop]).
///
/// @param space of the entries, which holds the index keys, too
record ExpiryIndex(Space space) {
  /// Index keys read at a time, so that a walk over any number of them takes little memory.
  private static final int BATCH = 1000;

  /// Moves an entry from one end to another; [Held#NEVER] is none.
  void move(Transaction tx, byte[] storedKey, long fromMillis, long toMillis) {
    if (fromMillis == toMillis) {
      return;
    }
    if (fromMillis != Held.NEVER) {
      tx.delete(space, PageRecord.place(fromMillis, storedKey));
    }
    if (toMillis != Held.NEVER) {
      tx.put(space, PageRecord.place(toMillis, storedKey), new byte[0]);
    }
  }

  /// Removes an index key unless there is an entry that ends then.
  void drop(byte[] place) {
    byte[] storedKey = PageRecord.placeKey(place);
    space
        .store()
        .transact(
            Durability.BACKGROUND,
            tx -> {
              byte[] stored = tx.get(space, storedKey);
              if (stored == null
                  || PageRecord.expiresAtMillis(MemorySegment.ofArray(stored))
                      != PageRecord.placeEndMillis(place)) {
                tx.delete(space, place);
              }
            });
  }

  /// Walks over the index keys of ends that have come by a time. Those that are added concurrently
  /// may or may not be met.
  Iterator<byte[]> due(long nowMillis) {
    return new Due(nowMillis);
  }

  private final class Due implements Iterator<byte[]> {
    private final Range all;
    private final Queue<byte[]> batch = new ArrayDeque<>();
    private byte[] last;

    Due(long nowMillis) {
      this.last = new byte[] {PageRecord.PLACE};
      this.all = Range.of(last, PageRecord.place(nowMillis + 1, new byte[0]));
    }

    @Override
    public boolean hasNext() {
      if (batch.isEmpty()) {
        read();
      }
      return !batch.isEmpty();
    }

    private void read() {
      try (Cursor cursor = space.cursor(all.intersect(Range.greaterThan(last)))) {
        while (batch.size() < BATCH && cursor.next()) {
          last = cursor.key();
          batch.add(last);
        }
      }
    }

    @Override
    public byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no more ends have come");
      }
      return batch.remove();
    }
  }
}
