package io.varve.compress;

import io.varve.spi.PageCodec;
import java.util.zip.DataFormatException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/// LZ4 blocks, by the library's variant in plain Java, which checks bounds as any Java does and
/// neither loads native code nor uses `Unsafe`.
public final class Lz4Codec implements PageCodec {
  private final LZ4Compressor compressor = LZ4Factory.safeInstance().fastCompressor();
  private final LZ4SafeDecompressor decompressor = LZ4Factory.safeInstance().safeDecompressor();

  /// Makes the codec, for [java.util.ServiceLoader].
  public Lz4Codec() {}

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public int id() {
    return 2;
  }

  @Override
  public int compressedBytesMax(int length) {
    return compressor.maxCompressedLength(length);
  }

  @Override
  public int compress(byte[] source, int offset, int length, byte[] target, int targetOffset) {
    return compressor.compress(source, offset, length, target, targetOffset);
  }

  @Override
  public void decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
      throws DataFormatException {
    int bytes;
    try {
      bytes = decompressor.decompress(source, offset, length, target, targetOffset, targetLength);
    } catch (LZ4Exception | IndexOutOfBoundsException e) {
      throw new DataFormatException("no block of LZ4: " + e.getMessage());
    }
    if (bytes != targetLength) {
      throw new DataFormatException(
          "decompresses to another length: expected=" + targetLength + ", found=" + bytes);
    }
  }
}
