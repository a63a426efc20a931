package io.varve;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The input of a fuzz target that wants several: pieces one after the other, each with its length
/// (two bytes, little-endian) in front. Of a piece that is cut short, what is there.
public final class Pieces {
  private final ByteBuffer input;

  /// Reads the pieces of an input.
  public Pieces(byte[] input) {
    this.input = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Whether there is another piece.
  public boolean hasNext() {
    return input.remaining() >= Short.BYTES;
  }

  /// The next piece, empty after the last.
  public byte[] next() {
    if (!hasNext()) {
      return new byte[0];
    }
    int length = input.getShort() & 0xffff;
    byte[] piece = new byte[Math.min(length, input.remaining())];
    input.get(piece);
    return piece;
  }
}
