package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// Writes bytes as chunks under a prefix: the prefix, an index, the bytes. For one thread at a
/// time.
final class ChunkOutputStream extends OutputStream {
  private final ItemSpace items;
  private final Item.Builder item;
  private final int prefixBytes;
  private final byte[] chunk = new byte[ItemSpace.CHUNK_LENGTH];
  private int filled;
  private long index;
  private boolean closed;

  ChunkOutputStream(ItemSpace items, Item prefix) {
    this.items = items;
    this.item = prefix.toBuilder();
    this.prefixBytes = item.byteLength();
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    if (closed) {
      throw new IOException("the stream is closed");
    }
    int from = offset;
    int left = length;
    while (left > 0) {
      int count = Math.min(left, chunk.length - filled);
      System.arraycopy(source, from, chunk, filled, count);
      filled += count;
      from += count;
      left -= count;
      if (filled == chunk.length) {
        insertChunk();
      }
    }
  }

  private void insertChunk() {
    items.insert(item.truncate(prefixBytes).index(index++).bytes(chunk, 0, filled).build());
    filled = 0;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (filled > 0) {
        insertChunk();
      }
    }
  }
}
