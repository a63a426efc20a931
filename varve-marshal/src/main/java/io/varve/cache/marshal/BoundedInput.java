package io.varve.cache.marshal;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Bytes that are read as an object, and may be anything: lengths that they cannot hold are
/// refused, before so many elements are allocated. All lengths of a read share one budget, since
/// arrays within arrays are all made before the bytes end.
///
/// Kryo reads lengths as positive numbers of variable length. It also reads so numbers of classes,
/// of enum constants and of objects that were met before, whose readers take them out of the count;
/// fields it reads in other ways.
final class BoundedInput extends Input {
  /// What collections may have per byte, all together.
  private static final int PER_BYTE_MAX = 8;

  /// What they may have in addition, for those whose elements take no bytes.
  private static final int ELEMENTS_MAX = 4096;

  private long budget;

  BoundedInput(byte[] bytes) {
    super(bytes);
    budget = ELEMENTS_MAX + (long) PER_BYTE_MAX * bytes.length;
  }

  @Override
  public int readVarInt(boolean optimizePositive) {
    return counted(super.readVarInt(optimizePositive), optimizePositive);
  }

  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    return counted(super.readVarIntFlag(optimizePositive), optimizePositive);
  }

  /// Fields, which may have any value.
  @Override
  public int readInt(boolean optimizePositive) {
    return super.readVarInt(optimizePositive);
  }

  @Override
  public byte[] readBytes(int count) {
    if (count > limit - position) {
      throw new KryoException("bytes end within an array: expected=" + count);
    }
    return super.readBytes(count);
  }

  private int counted(int number, boolean isPositive) {
    if (isPositive) {
      if (number < 0 || number > budget) {
        throw new KryoException("a length that the bytes cannot hold: length=" + number);
      }
      budget -= number;
    }
    return number;
  }

  /// Reads something whose numbers are no lengths. Each is within the budget all the same.
  <T extends @Nullable Object> T uncounted(Supplier<T> read) {
    long before = budget;
    T result = read.get();
    budget = before;
    return result;
  }

  /// Takes a number that was no length out of the count.
  void putBack(int number) {
    budget += number;
  }
}
