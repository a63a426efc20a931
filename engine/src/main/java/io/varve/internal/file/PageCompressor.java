package io.varve.internal.file;

import static io.varve.internal.page.Bytes.i32;
import static io.varve.internal.page.Bytes.putI32;
import static io.varve.internal.page.MalformedImageException.require;

import io.varve.UnsupportedFormatException;
import io.varve.internal.compress.CodecTable;
import io.varve.internal.compress.Codecs;
import io.varve.internal.page.Extent;
import io.varve.internal.page.LargeReference;
import io.varve.internal.page.LeafColumns;
import io.varve.internal.page.MalformedImageException;
import io.varve.internal.page.PageImage;
import io.varve.internal.page.PageImage.Kind;
import io.varve.spi.PageCodec;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;

/// Compresses the bodies of images where that saves at least one unit of their extents, and
/// decompresses them. A leaf's body is compressed as [LeafColumns]. Catalogs and indexes of large
/// values are never compressed: they are read before it is known what is needed, or are rewritten
/// in their places.
///
/// (Z1) An image that a superblock leads to, or a log that starts at it, is compressed by a codec
/// that this superblock names. So a process that lacks the codec is refused when it opens the
/// store. Pages are found through the superblock that is written after them. A large value is
/// compressed only when the codec has been written to a superblock.
///
/// Safe for threads.
final class PageCompressor {
  /// The most that a leaf takes, whatever its image claims.
  private static final int LEAF_BYTES_MAX = 1 << 16;

  /// The most that an inner page takes: 256 children with separators as long as keys may be, and
  /// some more.
  private static final int INNER_BYTES_MAX = 2 << 20;

  private final String where;

  /// By which new images are compressed; null if they are not.
  private final @Nullable PageCodec own;

  /// Codecs of images that were read, by their numbers.
  private final Map<Integer, PageCodec> known = new ConcurrentHashMap<>();

  /// The codecs that a superblock names. Grows only; written by the thread that reads or writes a
  /// superblock, which is one at a time.
  private volatile CodecTable named = CodecTable.EMPTY;

  PageCompressor(String where, @Nullable PageCodec own) {
    this.where = where;
    this.own = own;
    if (own != null) {
      known.put(own.id(), own);
    }
  }

  /// What the next superblock has to name.
  CodecTable table() {
    return own == null ? named : named.with(own);
  }

  /// Takes note of codecs that a superblock names, or whose images were put into the file.
  ///
  /// @throws UnsupportedFormatException if one of them is missing
  void name(CodecTable table) {
    CodecTable all = named;
    for (CodecTable.Entry entry : table.entries()) {
      PageCodec codec = known.get(entry.id());
      if (codec == null || !codec.name().equals(entry.name())) {
        codec = Codecs.needed(entry, where);
        known.put(entry.id(), codec);
      }
      all = all.with(codec);
    }
    named = all;
    var _ = table(); // refuses an own codec that has the number of another
  }

  /// The image to be stored for one, before it is encrypted.
  ///
  /// @param image in the first `bytes` bytes; its header need not be filled
  /// @param overheadBytes that encryption adds
  /// @return a compressed one, with header and checksum as far as `image` has them; null if that
  ///   saves nothing
  byte @Nullable [] compress(byte[] image, int bytes, Kind kind, int overheadBytes) {
    PageCodec codec = own;
    int unitsPlain = Extent.unitsFor(bytes + overheadBytes);
    if (codec == null || unitsPlain == 1) {
      return null;
    }
    byte[] source = image;
    int offset = PageImage.HEADER_BYTES;
    int length = bytes - PageImage.HEADER_BYTES;
    switch (kind) {
      case LEAF -> {
        source = LeafColumns.of(image);
        offset = 0;
        length = source.length;
      }
      case INNER -> {}
      case LARGE_CHUNK -> {
        if (!named.contains(codec)) {
          return null; // (Z1)
        }
      }
      case LARGE_INDEX, CATALOG -> {
        return null;
      }
    }
    if (length > clearBytesMax(kind)) {
      return null; // a reader would refuse it
    }
    byte[] target = new byte[PageImage.HEADER_BYTES + codec.compressedBytesMax(length)];
    int compressed = codec.compress(source, offset, length, target, PageImage.HEADER_BYTES);
    int stored = PageImage.HEADER_BYTES + compressed;
    if (Extent.unitsFor(stored + overheadBytes) >= unitsPlain) {
      return null;
    }
    System.arraycopy(image, 0, target, 0, PageImage.HEADER_BYTES);
    target[PageImage.COMPRESSION] = (byte) codec.id();
    putI32(target, PageImage.CLEAR_LENGTH, length);
    putI32(target, PageImage.LENGTH, compressed);
    putI32(target, PageImage.CHECKSUM, PageImage.checksum(target, stored));
    return Arrays.copyOf(target, stored);
  }

  /// The image as it was before it was compressed, except its checksum; the same array if it was
  /// not.
  ///
  /// @throws MalformedImageException if it does not decompress
  /// @throws UnsupportedFormatException if its codec is missing
  byte[] decompress(byte[] image, Kind kind) {
    int id = image[PageImage.COMPRESSION] & 0xff;
    if (id == 0) {
      return image;
    }
    int length = i32(image, PageImage.CLEAR_LENGTH);
    require(length > 0 && length <= clearBytesMax(kind), "impossible length before compression");
    byte[] clear = new byte[PageImage.HEADER_BYTES + length];
    try {
      codec(id)
          .decompress(
              image,
              PageImage.HEADER_BYTES,
              image.length - PageImage.HEADER_BYTES,
              clear,
              PageImage.HEADER_BYTES,
              length);
    } catch (DataFormatException e) {
      throw new MalformedImageException("does not decompress: " + e.getMessage());
    }
    if (kind == Kind.LEAF) {
      clear = LeafColumns.toImage(clear);
    }
    System.arraycopy(image, 0, clear, 0, PageImage.HEADER_BYTES);
    clear[PageImage.COMPRESSION] = 0;
    putI32(clear, PageImage.CLEAR_LENGTH, 0);
    putI32(clear, PageImage.LENGTH, clear.length - PageImage.HEADER_BYTES);
    return clear;
  }

  private static int clearBytesMax(Kind kind) {
    return switch (kind) {
      case LEAF -> LEAF_BYTES_MAX;
      case INNER -> INNER_BYTES_MAX;
      case LARGE_CHUNK -> LargeReference.CHUNK_BYTES;
      case LARGE_INDEX, CATALOG -> 0;
    };
  }

  /// Takes note of the codec of an image that is put into the file as others compressed it.
  ///
  /// @throws UnsupportedFormatException if it is missing
  void nameThatOf(byte[] image) {
    int id = image[PageImage.COMPRESSION] & 0xff;
    if (id != 0) {
      named = named.with(codec(id));
    }
  }

  private PageCodec codec(int id) {
    PageCodec codec = known.get(id);
    if (codec == null) {
      codec = Codecs.withId(id);
      if (codec == null) {
        throw new UnsupportedFormatException(
            "page compressed by a codec that is missing: file="
                + where
                + ", codec="
                + id
                + "; add the module that has it to the program");
      }
      known.put(id, codec);
    }
    return codec;
  }
}
