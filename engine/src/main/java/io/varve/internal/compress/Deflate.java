package io.varve.internal.compress;

import io.varve.spi.PageCodec;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Deflate (RFC 1951, without the frame of zlib), by the JDK.
///
/// Deflaters and inflaters hold memory outside of the heap and cost more to make than to use on a
/// page. So some wait for their next use; more than that are ended.
final class Deflate implements PageCodec {
  static final String NAME = "deflate";
  static final int ID = 1;

  /// As many threads as may compress or decompress concurrently and find one that waits.
  private static final int POOL_SIZE = 4 * Runtime.getRuntime().availableProcessors();

  private final BlockingQueue<Deflater> deflaters = new ArrayBlockingQueue<>(POOL_SIZE);
  private final BlockingQueue<Inflater> inflaters = new ArrayBlockingQueue<>(POOL_SIZE);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int id() {
    return ID;
  }

  /// Blocks that are stored take 5 bytes more for each 16 KiB at most (zlib's own bound for its
  /// default window and memory level). There is a first and a last byte, too.
  @Override
  public int compressedBytesMax(int length) {
    return length + (length >> 12) + (length >> 14) + 16;
  }

  @Override
  public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
    Deflater waiting = deflaters.poll();
    Deflater deflater =
        waiting == null ? new Deflater(Deflater.DEFAULT_COMPRESSION, true) : waiting;
    try {
      deflater.setInput(source, offset, length);
      deflater.finish();
      int bytes = deflater.deflate(target, targetOffset, target.length - targetOffset);
      if (!deflater.finished()) {
        throw new IllegalStateException("deflate needs more than its bound: length=" + length);
      }
      return bytes;
    } finally {
      deflater.reset();
      if (!deflaters.offer(deflater)) {
        deflater.end();
      }
    }
  }

  @Override
  public void decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
      throws DataFormatException {
    Inflater waiting = inflaters.poll();
    Inflater inflater = waiting == null ? new Inflater(true) : waiting;
    try {
      inflater.setInput(source, offset, length);
      int bytes = inflater.inflate(target, targetOffset, targetLength);
      // The end of the stream may take another step, which has no byte left to write.
      if (bytes != targetLength
          || (!inflater.finished() && inflater.inflate(new byte[1]) != 0)
          || !inflater.finished()
          || inflater.getRemaining() != 0) {
        throw new DataFormatException(
            "decompresses to another length: expected=" + targetLength + ", found=" + bytes);
      }
    } finally {
      inflater.reset();
      if (!inflaters.offer(inflater)) {
        inflater.end();
      }
    }
  }
}
