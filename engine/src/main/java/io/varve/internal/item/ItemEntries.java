package io.varve.internal.item;

import io.varve.Cursor;
import io.varve.Durability;
import io.varve.Entry;
import io.varve.Range;
import io.varve.Space;
import io.varve.internal.map.EntryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Items under a prefix as entries: the components after the prefix are the key, a fixed number of
/// them, and those after these the value. Of several items with one key the first counts.
final class ItemEntries implements EntryStore {
  private final Levels levels;
  private final Replacements items;
  private final ItemKeys keys;

  ItemEntries(Levels levels, Replacements items, ItemKeys keys) {
    this.levels = levels;
    this.items = items;
    this.keys = keys;
  }

  @Override
  public Space space() {
    return levels.main();
  }

  @Override
  public EntryStore with(Durability durability) {
    throw new UnsupportedOperationException(
        "changes of items wait for their commit: durability="
            + durability
            + "; give it to commit of the item space");
  }

  @Override
  public Pending pending() {
    throw new UnsupportedOperationException(
        "changes of items wait for their commit: space="
            + space().name()
            + "; call commit of the item space");
  }

  private byte @Nullable [] firstItem(byte[] key) {
    MergedCursor cursor = new MergedCursor(levels, keys.itemOf(key));
    return cursor.first() ? cursor.toBytes() : null;
  }

  private byte @Nullable [] valueOf(byte @Nullable [] item, byte[] key) {
    return item == null
        ? null
        : Arrays.copyOfRange(item, keys.prefix().length + key.length, item.length);
  }

  private static byte @Nullable [] joined(byte[] key, byte @Nullable [] value) {
    return value == null ? null : ItemKeys.join(key, value);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return valueOf(firstItem(key), key);
  }

  @Override
  public boolean contains(byte[] key) {
    return firstItem(key) != null;
  }

  /// Replaces all items of a key.
  private byte @Nullable [] getAndReplace(byte[] key, byte @Nullable [] value) {
    byte[] item = keys.itemOf(key);
    while (true) {
      byte[] present = firstItem(key);
      if (items.compareAndReplace(item, present, joined(item, value))) {
        return valueOf(present, key);
      }
    }
  }

  @Override
  public byte @Nullable [] getAndPut(byte[] key, byte[] value) {
    return getAndReplace(key, value);
  }

  @Override
  public byte @Nullable [] putIfAbsent(byte[] key, byte[] value) {
    byte[] item = keys.itemOf(key);
    while (true) {
      byte[] present = firstItem(key);
      if (present != null) {
        return valueOf(present, key);
      }
      if (items.compareAndReplace(item, null, ItemKeys.join(item, value))) {
        return null;
      }
    }
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    byte[] item = keys.itemOf(key);
    return items.compareAndReplace(item, joined(item, expected), joined(item, update));
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return getAndReplace(key, null);
  }

  @Override
  public void delete(byte[] key) {
    items.replace(keys.itemOf(key), null);
  }

  @Override
  public void putAll(List<Entry> entries) {
    for (Entry entry : entries) {
      byte[] item = keys.itemOf(entry.key());
      items.replace(item, ItemKeys.join(item, entry.value()));
    }
  }

  @Override
  public boolean addAll(List<byte[]> added, byte[] value) {
    boolean changed = false;
    for (byte[] key : added) {
      changed |= putIfAbsent(key, value) == null;
    }
    return changed;
  }

  @Override
  public void deleteRange(Range range) {
    if (range.equals(Range.all())) {
      items.replace(keys.prefix(), null);
      return;
    }
    try (Cursor cursor = cursor(range)) {
      while (cursor.next()) {
        delete(cursor.key());
      }
    }
  }

  @Override
  public Cursor cursor(Range range) {
    byte[] to = Objects.requireNonNullElse(range.to(), END);
    return new ItemEntryCursor(new MergedCursor(levels, keys.prefix()), keys, range.from(), to);
  }

  /// Above every key.
  private static final byte[] END = ItemBytes.BEYOND_ITEMS;

  @Override
  public long count(Range range) {
    long count = 0;
    try (Cursor cursor = cursor(range)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
