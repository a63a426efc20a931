package io.varve.internal.index;

import io.varve.Cursor;
import io.varve.Range;
import io.varve.Snapshot;
import io.varve.internal.txn.Indexing;
import io.varve.internal.txn.KeySort;
import io.varve.internal.txn.LiveSpace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the index entries of some of the indexed space, as many as a bound of memory lets it, and
/// gives them back in order.
///
/// For one thread.
final class EntryGatherer {
  /// The memory of an entry in addition to its bytes: the head of its array, what names it, and its
  /// order.
  private static final int OVERHEAD_BYTES = 56;

  private final long memoryBytesMax;
  private byte[][] entries = new byte[1024][];
  private int[] prefixBytes = new int[1024];
  private int size;
  private long memoryBytes;
  private long bytesRead;
  private byte @Nullable [] next;

  /// @param memoryBytesMax from which on no more is read
  EntryGatherer(long memoryBytesMax) {
    this.memoryBytesMax = memoryBytesMax;
  }

  /// Forgets what it has, and reads again.
  ///
  /// @param snapshot that shows the indexed space no older than the workspace
  /// @param from the first key
  void gather(Snapshot snapshot, LiveSpace space, byte[] from, Indexing.Kept index) {
    Arrays.fill(entries, 0, size, null);
    size = 0;
    memoryBytes = 0;
    bytesRead = 0;
    next = null;
    try (Cursor cursor = snapshot.cursor(space, Range.atLeast(from))) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (memoryBytes >= memoryBytesMax) {
          next = key;
          return;
        }
        byte[] value = cursor.value();
        for (byte[] prefix : Indexing.prefixes(index, key, value)) {
          add(Indexing.entry(prefix, key), prefix.length);
        }
        bytesRead += key.length + (long) value.length;
      }
    }
  }

  private void add(byte[] entry, int prefixLength) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
      prefixBytes = Arrays.copyOf(prefixBytes, 2 * size);
    }
    entries[size] = entry;
    prefixBytes[size++] = prefixLength;
    memoryBytes += entry.length + OVERHEAD_BYTES;
  }

  /// The first key that was not read, or null if that was the last.
  byte @Nullable [] next() {
    return next;
  }

  /// The bytes of the keys and values that were read.
  long bytesRead() {
    return bytesRead;
  }

  /// How many entries were gathered.
  int size() {
    return size;
  }

  /// Passes all entries, in order, as blocks.
  ///
  /// @param blockBytes the longest, unless one entry alone is longer
  void forEachBlock(int blockBytes, Consumer<byte[]> block) {
    if (size == 0) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocate(blockBytes);
    for (int at : KeySort.order(entries, size)) {
      byte[] entry = entries[at];
      int bytes = EntryBlock.bytes(entry);
      if (bytes > buffer.remaining() && buffer.position() > 0) {
        block.accept(Arrays.copyOf(buffer.array(), buffer.position()));
        buffer.clear();
      }
      if (bytes > buffer.capacity()) {
        buffer = ByteBuffer.allocate(bytes);
      }
      EntryBlock.append(buffer, entry, prefixBytes[at]);
    }
    block.accept(Arrays.copyOf(buffer.array(), buffer.position()));
  }
}
