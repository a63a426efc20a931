package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import java.io.Reader;

/// Reads what [ChunkWriter] has written. For one thread at a time.
final class ChunkReader extends Reader {
  private final ChunkSource<char[]> source;

  ChunkReader(ItemCursor chunks, Item prefix) {
    this.source = new ChunkSource<>(chunks, prefix, new char[0], ItemCursor::readCharsAt);
  }

  @Override
  public int read() {
    return source.hasMore() ? source.chunk()[source.take()] : -1;
  }

  @Override
  public int read(char[] target, int offset, int count) {
    return source.take(target, target.length, offset, count);
  }

  @Override
  public void close() {
    source.end();
  }
}
