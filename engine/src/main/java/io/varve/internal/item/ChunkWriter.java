package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemSpace;
import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;
import java.util.Objects;

/// Writes chars as chunks under a prefix: the prefix, an index, the chars. For one thread at a
/// time.
final class ChunkWriter extends Writer {
  private final ItemSpace items;
  private final Item.Builder item;
  private final int prefixBytes;
  private final CharBuffer chunk = CharBuffer.allocate(ItemSpace.CHUNK_LENGTH);
  private long index;
  private boolean closed;

  ChunkWriter(ItemSpace items, Item prefix) {
    this.items = items;
    this.item = prefix.toBuilder();
    this.prefixBytes = item.byteLength();
  }

  @Override
  public void write(char[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    if (closed) {
      throw new IOException("the writer is closed");
    }
    int from = offset;
    int left = length;
    while (left > 0) {
      int count = Math.min(left, chunk.remaining());
      chunk.put(source, from, count);
      from += count;
      left -= count;
      if (!chunk.hasRemaining()) {
        insertChunk();
      }
    }
  }

  private void insertChunk() {
    items.insert(item.truncate(prefixBytes).index(index++).chars(chunk.flip()).build());
    chunk.clear();
  }

  @Override
  public void flush() {
    // Chunks have one length: what is left waits for more, or for the close.
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (chunk.position() > 0) {
        insertChunk();
      }
    }
  }
}
