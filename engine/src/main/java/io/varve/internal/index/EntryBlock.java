package io.varve.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Index entries, one after the other: of each the length of its prefix, that of all of it, and its
/// bytes. As one value of a workspace they are in order.
final class EntryBlock {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

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

  /// Eight bytes as an unsigned number; those from `to` on count as zero.
  static long head(byte[] bytes, int from, int to) {
    int count = to - from;
    if (from + Long.BYTES <= bytes.length) {
      long head = (long) LONG.get(bytes, from);
      return count >= Long.BYTES ? head : count <= 0 ? 0 : head & (-1L << (Long.SIZE - 8 * count));
    }
    long head = 0;
    for (int i = 0; i < count; i++) {
      head |= (bytes[from + i] & 0xffL) << (56 - 8 * i);
    }
    return head;
  }
}
