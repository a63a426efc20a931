package io.varve.test;

import io.varve.Entry;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// What a cursor does, over a sorted map. (The map's own `ceilingEntry` and `floorEntry` take any
/// key, also one outside of a sub-map's range.)
final class ModelCursor {
  private final NavigableMap<byte[], byte[]> entries;
  private Map.@Nullable Entry<byte[], byte[]> current;
  private boolean afterLast; // on which side it is while there is no current entry

  ModelCursor(NavigableMap<byte[], byte[]> entries) {
    this.entries = entries;
  }

  boolean first() {
    return stand(entries.firstEntry(), true);
  }

  boolean last() {
    return stand(entries.lastEntry(), false);
  }

  boolean seek(byte[] key) {
    return stand(entries.ceilingEntry(key), true);
  }

  boolean seekFloor(byte[] key) {
    return stand(entries.floorEntry(key), false);
  }

  boolean next() {
    if (current != null) {
      return stand(entries.higherEntry(current.getKey()), true);
    }
    return !afterLast && first();
  }

  boolean previous() {
    if (current != null) {
      return stand(entries.lowerEntry(current.getKey()), false);
    }
    return afterLast && last();
  }

  boolean isOnEntry() {
    return current != null;
  }

  Entry entry() {
    if (current == null) {
      throw new IllegalStateException("cursor is on no entry");
    }
    return new Entry(current.getKey(), current.getValue());
  }

  private boolean stand(Map.@Nullable Entry<byte[], byte[]> entry, boolean afterLastIfNone) {
    current = entry;
    afterLast = afterLastIfNone;
    return entry != null;
  }
}
