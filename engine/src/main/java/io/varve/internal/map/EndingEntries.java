package io.varve.internal.map;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.Written;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Entries that end: those that have ended are absent for every reader. What is put ends after a
/// time.
///
/// (END-1) An entry that has ended is never given, whether or not a purge has removed it.
public final class EndingEntries implements EntryStore {
  private final EntryStore stored;
  private final @Nullable EntryStore ends;
  private final LongSupplier nowMillis;
  private final long lifeMillis;

  /// @param stored values with their ends, as [EndingValue] has them
  /// @param ends the index of the ends as the same reader sees it; null if it cannot
  /// @param nowMillis the time by which entries have ended; of a view, that of its beginning
  /// @param lifeMillis how long from now what is put lives; [EndingValue#NEVER] for no end
  public EndingEntries(
      EntryStore stored, @Nullable EntryStore ends, LongSupplier nowMillis, long lifeMillis) {
    this.stored = stored;
    this.ends = ends;
    this.nowMillis = nowMillis;
    this.lifeMillis = lifeMillis;
  }

  @Override
  public Space space() {
    return stored.space();
  }

  @Override
  public EntryStore with(Durability durability) {
    return new EndingEntries(stored.with(durability), ends, nowMillis, lifeMillis);
  }

  @Override
  public Pending pending() {
    Pending change = stored.pending();
    return new PendingEnding(
        change, new EndingEntries(change.entries(), ends, nowMillis, lifeMillis));
  }

  /// A change of entries that end.
  ///
  /// @param stored the change of the values with their ends
  private record PendingEnding(Pending stored, EntryStore entries) implements Pending {
    @Override
    public long removedCount() {
      return stored.removedCount();
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<Written<T>> written(T value) {
      return stored.written(value);
    }
  }

  private byte[] ending(byte[] value) {
    long now = nowMillis.getAsLong();
    return EndingValue.of(EndingValue.end(now, lifeMillis), value);
  }

  private byte @Nullable [] present(byte @Nullable [] storedValue) {
    return storedValue == null || hasEnded(storedValue, nowMillis.getAsLong())
        ? null
        : EndingValue.value(storedValue);
  }

  private static boolean hasEnded(byte[] storedValue, long now) {
    return EndingValue.isOver(EndingValue.endMillis(storedValue), now);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return present(stored.get(key));
  }

  @Override
  public boolean contains(byte[] key) {
    return get(key) != null;
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return present(stored.getAndPut(key, ending(value)));
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    while (true) {
      byte[] before = stored.get(key);
      byte[] present = present(before);
      if (present != null || stored.compareAndSet(key, before, ending(value))) {
        return present;
      }
    }
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    while (true) {
      byte[] before = stored.get(key);
      if (!Arrays.equals(present(before), expected)) {
        return false;
      }
      if (stored.compareAndSet(key, before, update == null ? null : ending(update))) {
        return true;
      }
    }
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return present(stored.getAndDelete(key));
  }

  @Override
  public void delete(byte[] key) {
    stored.delete(key);
  }

  @Override
  public void putAll(List<Entry> entries) {
    stored.putAll(
        entries.stream().map(entry -> new Entry(entry.key(), ending(entry.value()))).toList());
  }

  @Override
  public boolean addAll(List<byte[]> keys, byte[] value) {
    boolean added = false;
    for (byte[] key : keys) {
      added |= putIfAbsent(key, value) == null;
    }
    return added;
  }

  @Override
  public void deleteRange(Range range) {
    stored.deleteRange(range);
  }

  @Override
  public Cursor cursor(Range range) {
    return new EndingCursor(stored.cursor(range), nowMillis.getAsLong());
  }

  /// All entries in the range less those that have ended, which the index of ends has at its
  /// beginning: few, if a purge comes by.
  @Override
  public long count(Range range) {
    long now = nowMillis.getAsLong();
    long count = 0;
    if (ends == null) {
      try (Cursor cursor = cursor(range)) {
        while (cursor.next()) {
          count++;
        }
      }
      return count;
    }
    count = stored.count(range);
    try (Cursor due = ends.cursor(Range.lessThan(EndingValue.prefixAfter(now)))) {
      while (due.next()) {
        if (range.contains(EndingValue.key(due.key()))) {
          count--;
        }
      }
    }
    return Math.max(0, count);
  }

  @Override
  public boolean isShared() {
    return stored.isShared();
  }
}
