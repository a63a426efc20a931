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
  private final LayeredSpace items;
  private final byte[] prefix;
  private final int keyComponents;

  ItemEntries(LayeredSpace items, byte[] prefix, int keyComponents) {
    if (keyComponents < 1) {
      throw new IllegalArgumentException(
          "keys must have a fixed number of components, at least 1: components=" + keyComponents);
    }
    this.items = items;
    this.prefix = prefix;
    this.keyComponents = keyComponents;
  }

  byte[] prefix() {
    return prefix;
  }

  MergedCursor items() {
    return new MergedCursor(items.levels(), prefix);
  }

  @Override
  public Space space() {
    return items.levels().main();
  }

  @Override
  public EntryStore with(Durability durability) {
    throw new UnsupportedOperationException(
        "changes of items wait for their commit: durability="
            + durability
            + "; give it to commit of the item space");
  }

  byte[] itemOf(byte[] key) {
    return join(prefix, key);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /// Where the key of an item ends.
  int endOfKey(byte[] item, int length) {
    int end = prefix.length;
    for (int i = 0; i < keyComponents; i++) {
      end = ItemBytes.skip(item, end, length);
    }
    return end;
  }

  private byte @Nullable [] firstItem(byte[] key) {
    MergedCursor cursor = new MergedCursor(items.levels(), itemOf(key));
    return cursor.first() ? cursor.toBytes() : null;
  }

  private byte @Nullable [] valueOf(byte @Nullable [] item, byte[] key) {
    return item == null ? null : Arrays.copyOfRange(item, prefix.length + key.length, item.length);
  }

  private static byte @Nullable [] joined(byte[] key, byte @Nullable [] value) {
    return value == null ? null : join(key, value);
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
    byte[] item = itemOf(key);
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
    byte[] item = itemOf(key);
    while (true) {
      byte[] present = firstItem(key);
      if (present != null) {
        return valueOf(present, key);
      }
      if (items.compareAndReplace(item, null, join(item, value))) {
        return null;
      }
    }
  }

  @Override
  public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] update) {
    byte[] item = itemOf(key);
    return items.compareAndReplace(item, joined(item, expected), joined(item, update));
  }

  @Override
  public byte @Nullable [] getAndDelete(byte[] key) {
    return getAndReplace(key, null);
  }

  @Override
  public void delete(byte[] key) {
    items.replace(itemOf(key), null);
  }

  @Override
  public void putAll(List<Entry> entries) {
    for (Entry entry : entries) {
      byte[] item = itemOf(entry.key());
      items.replace(item, join(item, entry.value()));
    }
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
    if (range.equals(Range.all())) {
      items.replace(prefix, null);
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
    return new ItemEntryCursor(this, range.from(), Objects.requireNonNullElse(range.to(), END));
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
