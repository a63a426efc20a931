package io.varve.internal.index;

import java.util.ArrayList;
import java.util.List;

/// Entries of one index, as they are gathered: one after the other in long arrays, so that an entry
/// is no object, and an array is used again for the next run.
///
/// For one thread at a time.
final class GatheredRun {
  /// What sorting takes for an entry, in addition to its bytes ([RunSorter]).
  private static final int SORT_BYTES = 24;

  private static final int CHUNK_BITS = 14;
  private static final int CHUNK_BYTES = 1 << CHUNK_BITS;

  private final List<byte[]> chunks = new ArrayList<>();

  /// The lengths of the chunks that are full, which are shorter by what did not fit.
  private final List<Integer> lengths = new ArrayList<>();

  /// The last one, and what of it is used.
  private byte[] chunk = {};

  private int length;
  private int size;
  private long memoryBytes;

  /// Forgets what it has.
  void clear() {
    if (!chunks.isEmpty()) {
      // What this run did not use, that of another index may need now (BUILD-4).
      chunks.subList(lengths.size() + 1, chunks.size()).clear();
      chunk = chunks.getFirst();
    }
    lengths.clear();
    length = 0;
    size = 0;
    memoryBytes = 0;
  }

  /// Takes an entry; one that is here already comes twice.
  void add(byte[] prefix, byte[] key) {
    int bytes = EntryBlock.bytes(prefix.length + key.length);
    if (chunk.length - length < bytes) {
      append();
    }
    size++;
    length = EntryBlock.append(chunk, length, prefix, key);
    memoryBytes += bytes + SORT_BYTES;
  }

  private void append() {
    memoryBytes += chunk.length - length;
    if (!chunks.isEmpty()) {
      lengths.add(length);
    }
    if (lengths.size() == chunks.size()) {
      chunks.add(new byte[CHUNK_BYTES]);
    }
    chunk = chunks.get(lengths.size());
    length = 0;
  }

  /// The memory that it takes.
  long memoryBytes() {
    return memoryBytes;
  }

  /// How many entries were gathered.
  int size() {
    return size;
  }

  /// Writes where the entries are, in the order in which they came.
  void locate(int[] locations) {
    int number = 0;
    for (int i = 0; number < size; i++) {
      byte[] bytes = chunks.get(i);
      int end = i < lengths.size() ? lengths.get(i) : length;
      for (int at = 0; at < end; at = EntryBlock.end(bytes, at)) {
        locations[number++] = (i << CHUNK_BITS) | at;
      }
    }
  }

  /// The bytes that have the entry at a location.
  byte[] bytes(int location) {
    return chunks.get(location >>> CHUNK_BITS);
  }

  /// Where in these it is.
  static int offset(int location) {
    return location & (CHUNK_BYTES - 1);
  }
}
