package io.varve.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Index entries, one after the other: of each the length of its prefix, that of all of it, and its
/// bytes. As one value of a workspace they are in order.
final class EntryBlock {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private static final int HEAD_BYTES = 2 * Short.BYTES;

  private EntryBlock() {}

  /// What an entry of a length takes.
  static int bytes(int entryBytes) {
    return HEAD_BYTES + entryBytes;
  }

  /// Writes an entry to an offset.
  ///
  /// @return where it ends
  static int append(byte[] block, int at, byte[] prefix, byte[] key) {
    SHORT.set(block, at, (short) prefix.length);
    SHORT.set(block, at + Short.BYTES, (short) (prefix.length + key.length));
    int from = entryAt(at);
    System.arraycopy(prefix, 0, block, from, prefix.length);
    System.arraycopy(key, 0, block, from + prefix.length, key.length);
    return from + prefix.length + key.length;
  }

  /// Whether there is an entry at an offset, within its block.
  static boolean isEntry(byte[] block, int at) {
    return at <= block.length - HEAD_BYTES
        && prefixBytes(block, at) >= 0
        && end(block, at) >= entryAt(at) + prefixBytes(block, at)
        && end(block, at) <= block.length;
  }

  /// Where the bytes of the entry at an offset begin.
  static int entryAt(int at) {
    return at + HEAD_BYTES;
  }

  static int prefixBytes(byte[] block, int at) {
    return (short) SHORT.get(block, at);
  }

  /// Where the entry at an offset ends, and the next one begins.
  static int end(byte[] block, int at) {
    return at + HEAD_BYTES + (short) SHORT.get(block, at + Short.BYTES);
  }
}
