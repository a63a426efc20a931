package io.varve.query.internal.access;

import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;

import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Keys of one length of up to eight bytes, each as a number: so a million of them take 8 MiB, and
/// are sorted as numbers. For one thread.
final class NumberKeys {
  private static final int FIRST_COUNT = 16;
  private static final byte[] NONE = {};

  /// A whole key of eight bytes.
  private static final VarHandle WHOLE =
      byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN).withInvokeExactBehavior();

  private final int countMax;

  /// The bytes of each key as a number with their order.
  private long[] numbers = new long[FIRST_COUNT];

  private int count;
  private int length;

  /// @param countMax how many are taken at most
  NumberKeys(int countMax) {
    this.countMax = countMax;
  }

  /// Whether no more are taken.
  boolean isFull() {
    return count >= countMax;
  }

  int count() {
    return count;
  }

  /// Takes a key.
  ///
  /// @return false if it was not taken, as it is too long or has another length
  boolean add(byte[] key) {
    if (count == 0) {
      length = key.length;
    }
    if (key.length != length || length > Long.BYTES) {
      return false;
    }
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, count * 2);
    }
    numbers[count++] = number(key);
    return true;
  }

  /// The order of bytes is unsigned, and that of numbers is not: so the first bit is turned.
  private static long number(byte[] key) {
    if (key.length == Long.BYTES) {
      return (long) WHOLE.get(key, 0) ^ Long.MIN_VALUE;
    }
    long number = 0;
    for (byte each : key) {
      number = number << Byte.SIZE | Byte.toUnsignedLong(each);
    }
    return number;
  }

  private byte[] key(long number) {
    byte[] key = new byte[length];
    if (length == Long.BYTES) {
      WHOLE.set(key, 0, number ^ Long.MIN_VALUE);
      return key;
    }
    long rest = number;
    for (int at = length - 1; at >= 0; at--) {
      key[at] = (byte) rest;
      rest >>>= Byte.SIZE;
    }
    return key;
  }

  /// The keys in their order. None is added after.
  SortedRun sorted() {
    Arrays.sort(numbers, 0, count);
    return new Run();
  }

  private final class Run implements SortedRun {
    private int index = -1;

    @Override
    public boolean next() {
      return ++index < count;
    }

    @Override
    public byte[] key() {
      return NumberKeys.this.key(numbers[index]);
    }

    @Override
    public byte[] payload() {
      return NONE;
    }

    @Override
    public void close() {
      index = count;
    }
  }
}
