package io.varve.grid.blobs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A part of a blob that a request asks for by `Range` (RFC 9110, 14).
///
/// @param from the offset of its first byte
/// @param length zero if the blob has no byte of it
record ByteRange(long from, long length) {
  private static final Pattern ONE = Pattern.compile("bytes=\\s*([0-9]{0,18})-([0-9]{0,18})\\s*");

  /// The range of a header, or null if the header is to be ignored: there is none, it has several
  /// ranges, another unit, or cannot be read.
  static @Nullable ByteRange of(@Nullable String header, long blobLength) {
    Matcher one = header == null ? null : ONE.matcher(header);
    if (one == null || !one.matches() || (one.group(1).isEmpty() && one.group(2).isEmpty())) {
      return null;
    }
    if (one.group(1).isEmpty()) { // the last bytes
      long length = Math.min(Long.parseLong(one.group(2)), blobLength);
      return new ByteRange(blobLength - length, length);
    }
    long from = Long.parseLong(one.group(1));
    long last = one.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(one.group(2));
    if (last < from) {
      return null;
    }
    return new ByteRange(from, Math.max(0, Math.min(last, blobLength - 1) - from + 1));
  }
}
