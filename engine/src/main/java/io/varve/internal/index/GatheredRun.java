package io.varve.internal.index;

import io.varve.internal.txn.Indexing;
import io.varve.internal.txn.KeySort;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/// Entries of one index, as they are gathered, which are then given in order.
///
/// For one thread.
final class GatheredRun {
  /// The memory of an entry in addition to its bytes: the head of its array, what names it, and its
  /// order.
  private static final int OVERHEAD_BYTES = 56;

  private byte[][] entries = new byte[1024][];
  private int[] prefixBytes = new int[1024];
  private int size;
  private long memoryBytes;

  /// Forgets what it has.
  void clear() {
    Arrays.fill(entries, 0, size, null);
    size = 0;
    memoryBytes = 0;
  }

  /// Takes an entry; one that is here already comes twice.
  void add(byte[] prefix, byte[] key) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
      prefixBytes = Arrays.copyOf(prefixBytes, 2 * size);
    }
    byte[] entry = Indexing.entry(prefix, key);
    entries[size] = entry;
    prefixBytes[size++] = prefix.length;
    memoryBytes += entry.length + OVERHEAD_BYTES;
  }

  /// The memory that it takes.
  long memoryBytes() {
    return memoryBytes;
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
