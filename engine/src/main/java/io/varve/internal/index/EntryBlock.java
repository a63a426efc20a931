package io.varve.internal.index;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Index entries in order, as one value: of each the length of its prefix, that of all of it, and
/// its bytes.
///
/// For one thread.
final class EntryBlock {
  private static final int HEAD_BYTES = 2 * Short.BYTES;

  private final ByteBuffer bytes;

  private EntryBlock(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /// What [#next] reads from.
  static EntryBlock of(byte[] value) {
    return new EntryBlock(ByteBuffer.wrap(value));
  }

  /// The length that an entry takes.
  static int bytes(byte[] entry) {
    return HEAD_BYTES + entry.length;
  }

  /// Appends an entry to what becomes a value.
  static void append(ByteBuffer block, byte[] entry, int prefixBytes) {
    block.putShort((short) prefixBytes).putShort((short) entry.length).put(entry);
  }

  /// The next entry, or null after the last.
  @Nullable GatheredEntry next() {
    if (!bytes.hasRemaining()) {
      return null;
    }
    int prefixBytes = bytes.getShort();
    byte[] entry = new byte[bytes.getShort()];
    bytes.get(entry);
    return new GatheredEntry(entry, prefixBytes);
  }
}
