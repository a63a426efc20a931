package io.varve.internal.backup;

import io.varve.spi.BackupTarget;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads an object of a [BackupTarget], mostly from its start to its end, in larger and larger
/// pieces: a target may be far away.
///
/// For one thread.
final class ReadAhead {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int BYTES_MIN = 64 << 10;
  private static final int BYTES_MAX = 1 << 20;

  private final BackupTarget target;
  private final String name;

  /// What was read last: bytes of the object from a position on.
  private ByteBuffer piece = NOTHING;

  private long piecePosition;

  ReadAhead(BackupTarget target, String name) {
    this.target = target;
    this.name = name;
  }

  /// Reads into `destination` until it is full or the object ends.
  ///
  /// @return the bytes read
  int read(long position, ByteBuffer destination) throws IOException {
    int read = 0;
    while (destination.hasRemaining() && isPresent(position + read)) {
      int offset = (int) (position + read - piecePosition);
      int count = Math.min(destination.remaining(), piece.limit() - offset);
      destination.put(piece.slice(offset, count));
      read += count;
    }
    return read;
  }

  /// Has the piece hold the byte at a position, unless the object ends before.
  private boolean isPresent(long position) throws IOException {
    long end = piecePosition + piece.limit();
    if (position >= piecePosition && position < end) {
      return true;
    }
    boolean continues = position == end;
    int bytes = continues ? Math.clamp(2L * piece.limit(), BYTES_MIN, BYTES_MAX) : BYTES_MIN;
    ByteBuffer next = bytes == piece.capacity() ? piece : ByteBuffer.allocate(bytes);
    piecePosition = position;
    piece = next.clear();
    int read = 0;
    boolean done = false;
    try {
      target.read(name, position, next);
      read = next.position();
      done = true;
    } finally {
      next.flip();
      if (!done) {
        next.limit(0);
      }
    }
    return read > 0;
  }

  /// Releases the memory of what was read last.
  void release() {
    piece = NOTHING;
  }
}
