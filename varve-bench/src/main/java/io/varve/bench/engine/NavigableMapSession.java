package io.varve.bench.engine;

import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// The reads of a store that is a [NavigableMap] of byte arrays.
abstract class NavigableMapSession implements EngineSession {
  private final NavigableMap<byte[], byte[]> map;

  NavigableMapSession(NavigableMap<byte[], byte[]> map) {
    this.map = map;
  }

  @Override
  public final boolean get(byte[] key, ValueSink sink) {
    byte @Nullable [] value = map.get(key);
    if (value == null) {
      return false;
    }
    sink.value(value, value.length);
    return true;
  }

  @Override
  public final void scan(byte[] from, EntrySink sink) {
    pour(map.tailMap(from, true), sink);
  }

  @Override
  public final void forward(EntrySink sink) {
    pour(map, sink);
  }

  @Override
  public final void backward(EntrySink sink) {
    pour(map.descendingMap(), sink);
  }

  @Override
  public final void close() {}

  private static void pour(NavigableMap<byte[], byte[]> entries, EntrySink sink) {
    for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
      byte[] value = entry.getValue();
      if (!sink.entry(entry.getKey(), value, value.length)) {
        return;
      }
    }
  }
}
