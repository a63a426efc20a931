package io.varve.cache.marshal;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/// Bytes that are read as an object, and may be anything: lengths that they cannot hold are
/// refused, before anybody makes room for so many elements.
///
/// Kryo reads lengths as positive numbers of variable length, and so small numbers such as those of
/// classes and enum constants; fields it reads in other ways.
final class BoundedInput extends Input {
  /// What a collection may have per byte: elements that were met before take part of one.
  private static final int PER_BYTE_MAX = 8;

  private static final int SMALL_NUMBER_MAX = 4096;

  private final int numberMax;

  BoundedInput(byte[] bytes) {
    super(bytes);
    numberMax =
        (int) Math.min(Integer.MAX_VALUE, SMALL_NUMBER_MAX + (long) PER_BYTE_MAX * bytes.length);
  }

  @Override
  public int readVarInt(boolean optimizePositive) {
    return bounded(super.readVarInt(optimizePositive), optimizePositive);
  }

  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    return bounded(super.readVarIntFlag(optimizePositive), optimizePositive);
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

  private int bounded(int number, boolean isPositive) {
    if (isPositive && (number < 0 || number > numberMax)) {
      throw new KryoException("a length that the bytes cannot hold: length=" + number);
    }
    return number;
  }
}
