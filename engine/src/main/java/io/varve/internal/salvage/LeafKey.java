package io.varve.internal.salvage;

import io.varve.internal.page.PageImage;
import java.nio.ByteBuffer;

/// The rank of a leaf among those that are merged over each other: its epoch, then where it is, so
/// that the newest comes last.
final class LeafKey {
  private LeafKey() {}

  static byte[] encode(byte[] image, long extent) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(PageImage.epoch(image))
        .putLong(extent)
        .array();
  }

  static long extent(byte[] key) {
    return ByteBuffer.wrap(key).getLong(Long.BYTES);
  }
}
