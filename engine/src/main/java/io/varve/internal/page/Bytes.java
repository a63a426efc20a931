package io.varve.internal.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Reads and writes numbers in a page. All are little-endian, except key heads, which are read
/// big-endian so that their order as numbers is the order of the bytes. Every access is checked
/// against the array's bounds, so a reader of torn bytes fails with an exception at worst.
public final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT_BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private Bytes() {}

  static int u16(byte[] bytes, int offset) {
    return (short) SHORT.get(bytes, offset) & 0xffff;
  }

  static void putU16(byte[] bytes, int offset, int value) {
    SHORT.set(bytes, offset, (short) value);
  }

  public static int i32(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  public static void putI32(byte[] bytes, int offset, int value) {
    INT.set(bytes, offset, value);
  }

  public static long i64(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  public static void putI64(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }

  /// The four bytes of `key` from `offset`, missing ones taken as zero, as a number whose signed
  /// order is their unsigned byte order. Two keys with equal heads must be compared in full.
  static int head(byte[] key, int offset, int end) {
    if (end - offset >= Integer.BYTES) {
      return (int) INT_BIG_ENDIAN.get(key, offset) ^ Integer.MIN_VALUE;
    }
    int head = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      head = head << 8 | (offset + i < end ? key[offset + i] & 0xff : 0);
    }
    return head ^ Integer.MIN_VALUE;
  }

  /// All ones if `a` is below `b`, else zero: for steps of a search whose outcome is as good as
  /// random, where a branch would be mispredicted half of the time.
  static int maskIfBelow(int a, int b) {
    return (int) (((long) a - b) >> 63);
  }

  /// Puts into the last four bytes of a block the CRC-32C of every byte before them.
  public static void seal(byte[] block) {
    putI32(block, block.length - 4, crc(block));
  }

  /// Whether the last four bytes of a block are the CRC-32C of every byte before them.
  public static boolean isSealed(byte[] block) {
    return i32(block, block.length - 4) == crc(block);
  }

  private static int crc(byte[] block) {
    CRC32C crc = new CRC32C();
    crc.update(block, 0, block.length - 4);
    return (int) crc.getValue();
  }

  /// The number of leading bytes that `a` and `b` share.
  public static int commonPrefix(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /// The shortest key that is above `left` and not above `right`, which must be above `left`.
  /// Shortest separators keep inner pages small (Bayer and Unterauer, Prefix B-trees, 1977).
  public static byte[] shortestSeparator(byte[] left, byte[] right) {
    return Arrays.copyOf(right, Math.min(right.length, commonPrefix(left, right) + 1));
  }
}
