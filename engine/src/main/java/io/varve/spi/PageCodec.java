package io.varve.spi;

import java.util.zip.DataFormatException;

/// A way to compress pages. Found by [java.util.ServiceLoader]; chosen by its name, in
/// [io.varve.StoreOptions#compression]; found again, when a page is read, by its number, which is
/// in each page.
///
/// - **Threads:** one instance is called by any number of threads at the same time.
/// - **Forever:** what one version compressed, all later versions of the same number must
///   decompress.
/// - **Cost:** compresses in the thread that writes a checkpoint or a large value, decompresses in
///   those that read.
///
/// @since 1.0
public interface PageCodec {
  /// What a user calls it: 1 to 30 letters, digits, `-` and `_` of ASCII. `none` is taken.
  String name();

  /// The number that is written to files: 1 to 255. Numbers up to 31 are Varve's own.
  int id();

  /// How long bytes may become at most when they do not compress.
  ///
  /// @param length of the bytes in clear
  int compressedBytesMax(int length);

  /// Compresses bytes.
  ///
  /// @param target with [#compressedBytesMax] bytes from `targetOffset` on
  /// @return how many bytes of `target` were filled
  int compress(byte[] source, int offset, int length, byte[] target, int targetOffset);

  /// Decompresses bytes, which an attacker may have chosen. Whatever they are, this ends, touches
  /// nothing but its part of `target`, and takes no memory in proportion to what they claim.
  ///
  /// @param targetLength exactly as many bytes as were compressed
  /// @throws DataFormatException if these are not bytes that decompress to that many
  void decompress(
      byte[] source, int offset, int length, byte[] target, int targetOffset, int targetLength)
      throws DataFormatException;
}
