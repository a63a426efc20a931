package io.varve.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.varve.spi.PageCodec;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.DataFormatException;

/// Zstandard frames, by the library of its authors through JNI. The native library is loaded when
/// the first page is compressed or decompressed.
///
/// Contexts hold some 100 KB outside of the heap and cost more to make than to use on a page. So
/// some wait for their next use; more than that are closed.
public final class ZstdCodec implements PageCodec {
  /// The library's default: beyond it, time grows faster than size falls.
  private static final int LEVEL = 3;

  /// As many threads as may compress or decompress concurrently and find a context that waits.
  private static final int POOL_SIZE = 4 * Runtime.getRuntime().availableProcessors();

  private final BlockingQueue<ZstdCompressCtx> compressors = new ArrayBlockingQueue<>(POOL_SIZE);
  private final BlockingQueue<ZstdDecompressCtx> decompressors =
      new ArrayBlockingQueue<>(POOL_SIZE);

  /// Makes the codec, for [java.util.ServiceLoader].
  public ZstdCodec() {}

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public int id() {
    return 3;
  }

  /// As ZSTD_COMPRESSBOUND of zstd.h, without a call into the library.
  @Override
  public int compressedBytesMax(int length) {
    return length + (length >> 8) + (length < 1 << 17 ? ((1 << 17) - length) >> 11 : 0);
  }

  /// The page knows its length and has a checksum, so the frame need not contain them.
  @Override
  public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
    ZstdCompressCtx waiting = compressors.poll();
    ZstdCompressCtx context =
        waiting == null
            ? new ZstdCompressCtx()
                .setLevel(LEVEL)
                .setContentSize(false)
                .setChecksum(false)
                .setDictID(false)
                .setMagicless(true)
            : waiting;
    try {
      return context.compressByteArray(
          target, targetOffset, target.length - targetOffset, source, offset, length);
    } finally {
      if (!compressors.offer(context)) {
        context.close();
      }
    }
  }

  @Override
  public void decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
      throws DataFormatException {
    ZstdDecompressCtx waiting = decompressors.poll();
    ZstdDecompressCtx context =
        waiting == null ? new ZstdDecompressCtx().setMagicless(true) : waiting;
    int bytes;
    try {
      bytes =
          context.decompressByteArray(target, targetOffset, targetLength, source, offset, length);
    } catch (ZstdException e) {
      throw new DataFormatException("no frame of Zstandard: " + e.getMessage());
    } finally {
      if (!decompressors.offer(context)) {
        context.close();
      }
    }
    if (bytes != targetLength) {
      throw new DataFormatException(
          "decompresses to another length: expected=" + targetLength + ", found=" + bytes);
    }
  }
}
