package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import java.io.InputStream;

/// Reads what [ChunkOutputStream] has written. For one thread at a time.
final class ChunkInputStream extends InputStream {
  private final ChunkSource<byte[]> source;

  ChunkInputStream(ItemCursor chunks, Item prefix) {
    this.source = new ChunkSource<>(chunks, prefix, new byte[0], ItemCursor::readBytesAt);
  }

  @Override
  public int read() {
    return source.hasMore() ? source.chunk()[source.take()] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    return source.take(target, target.length, offset, count);
  }
}
