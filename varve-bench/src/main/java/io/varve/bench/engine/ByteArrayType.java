package io.varve.bench.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/// Byte arrays in unsigned order, for MVStore.
final class ByteArrayType extends BasicDataType<byte[]> {
  static final ByteArrayType INSTANCE = new ByteArrayType();

  /// About what an array takes on the heap apart from its bytes, as MVStore counts memory.
  private static final int ARRAY_OVERHEAD_BYTES = 24;

  private ByteArrayType() {}

  @Override
  public int compare(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right);
  }

  @Override
  public int getMemory(byte[] bytes) {
    return ARRAY_OVERHEAD_BYTES + bytes.length;
  }

  @Override
  public void write(WriteBuffer buffer, byte[] bytes) {
    buffer.putVarInt(bytes.length).put(bytes);
  }

  @Override
  public byte[] read(ByteBuffer buffer) {
    byte[] bytes = new byte[DataUtils.readVarInt(buffer)];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public byte[][] createStorage(int size) {
    return new byte[size][];
  }
}
