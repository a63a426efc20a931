package io.varve.internal.item;

import io.varve.item.Item;
import io.varve.item.ItemCursor;
import io.varve.item.ItemSpace;
import java.io.InputStream;
import java.util.Objects;

/// Reads what [ChunkOutputStream] has written. For one thread at a time.
final class ChunkInputStream extends InputStream {
  private final ItemCursor chunks;
  private final int chunkComponent;
  private byte[] chunk = new byte[ItemSpace.CHUNK_LENGTH];
  private int position;
  private int length;
  private boolean ended;

  ChunkInputStream(ItemCursor chunks, Item prefix) {
    this.chunks = chunks;
    this.chunkComponent = prefix.size() + 1;
  }

  private boolean hasMore() {
    while (position == length && !ended) {
      ended = !chunks.next();
      if (!ended) {
        position = 0;
        length = chunks.readBytesAt(chunkComponent, chunk);
        if (length > chunk.length) {
          chunk = new byte[length]; // of another program's making
          length = chunks.readBytesAt(chunkComponent, chunk);
        }
      }
    }
    return position < length;
  }

  @Override
  public int read() {
    return hasMore() ? chunk[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int read = Math.min(count, length - position);
    System.arraycopy(chunk, position, target, offset, read);
    position += read;
    return read;
  }
}
