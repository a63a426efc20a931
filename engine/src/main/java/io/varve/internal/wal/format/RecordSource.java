package io.varve.internal.wal.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/// Reads back what was written into a `RecordSink`, in the same order. The body of a large commit
/// comes in pieces, so that no array need be as large as the commit.
///
/// Reading past the end is an [IndexOutOfBoundsException]. Used by one thread.
public final class RecordSource {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Bytes `[from, to)` of an array.
  public static final class Piece {
    private final byte[] bytes;
    private final int from;
    private final int to;

    Piece(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }
  }

  private static final byte[] NONE = new byte[0];

  private final List<Piece> pieces;
  private final long length;
  private int nextPiece;
  private byte[] bytes = NONE;
  private int position;
  private int limit;
  private long remainingAfter;

  public RecordSource(List<Piece> pieces) {
    this.pieces = pieces;
    long sum = 0;
    for (Piece piece : pieces) {
      sum += piece.to - piece.from;
    }
    this.length = sum;
    this.remainingAfter = sum;
  }

  /// The length of the body in bytes.
  public long length() {
    return length;
  }

  /// Bytes not read yet.
  public long remaining() {
    return limit - position + remainingAfter;
  }

  public byte getByte() {
    if (position == limit) {
      nextPiece();
    }
    return bytes[position++];
  }

  public int getInt() {
    if (limit - position >= Integer.BYTES) {
      int value = (int) INT.get(bytes, position);
      position += Integer.BYTES;
      return value;
    }
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      value |= (getByte() & 0xff) << shift;
    }
    return value;
  }

  public long getLong() {
    if (limit - position >= Long.BYTES) {
      long value = (long) LONG.get(bytes, position);
      position += Long.BYTES;
      return value;
    }
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      value |= (getByte() & 0xffL) << shift;
    }
    return value;
  }

  /// Reads what `RecordSink.putVarint` wrote.
  public long getVarint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = getByte();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IndexOutOfBoundsException("varint longer than ten bytes");
  }

  /// Reads `length` bytes into `destination` from `offset` on.
  public void getBytes(byte[] destination, int offset, int length) {
    int done = 0;
    while (done < length) {
      if (position == limit) {
        nextPiece();
      }
      int count = Math.min(length - done, limit - position);
      System.arraycopy(bytes, position, destination, offset + done, count);
      position += count;
      done += count;
    }
  }

  /// Reads `length` bytes into a new array.
  ///
  /// @throws IndexOutOfBoundsException if fewer remain; nothing is allocated then
  public byte[] getBytes(int length) {
    require(length);
    byte[] result = new byte[length];
    getBytes(result, 0, length);
    return result;
  }

  /// Checks that `count` bytes remain.
  ///
  /// @throws IndexOutOfBoundsException if fewer do
  public void require(long count) {
    if (count < 0 || count > remaining()) {
      throw new IndexOutOfBoundsException(
          "body ends early: wanted=" + count + ", remaining=" + remaining());
    }
  }

  /// Passes over `count` bytes.
  public void skip(long count) {
    require(count);
    long left = count;
    while (left > 0) {
      if (position == limit) {
        nextPiece();
      }
      int step = (int) Math.min(left, limit - position);
      position += step;
      left -= step;
    }
  }

  private void nextPiece() {
    do {
      if (nextPiece == pieces.size()) {
        throw new IndexOutOfBoundsException("body ends early: length=" + length);
      }
      Piece piece = pieces.get(nextPiece++);
      bytes = piece.bytes;
      position = piece.from;
      limit = piece.to;
      remainingAfter -= limit - position;
    } while (position == limit);
  }
}
