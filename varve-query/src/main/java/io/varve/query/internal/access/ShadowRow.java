package io.varve.query.internal.access;

import io.varve.query.internal.expr.Scope;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// What a store keeps of an object that a map or a cache has: the prefixes of its index entries.
/// All integers are big-endian.
///
/// | bytes  | field  | meaning                                               |
/// |-------:|--------|-------------------------------------------------------|
/// |      8 | index  | the digest of the id of an index, its first bytes     |
/// |      4 | length | of the prefix                                         |
/// | length | prefix | one of this object in this index; then the next entry |
///
/// An index takes what has its own digest: one that was changed finds nothing in rows that were
/// written before, until they are written again.
final class ShadowRow {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Writes the prefixes of an object.
  ///
  /// @param form of the index
  /// @param digest of its id
  void add(IndexForm form, long digest, Scope row) {
    form.prefixes(
        row,
        prefix -> {
          bytes.writeBytes(
              ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                  .putLong(digest)
                  .putInt(prefix.length)
                  .array());
          bytes.writeBytes(prefix);
        });
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  /// Gives the prefixes of an index.
  static void read(byte[] row, long digest, Consumer<byte[]> prefixes) {
    ByteBuffer rest = ByteBuffer.wrap(row);
    while (rest.hasRemaining()) {
      long index = rest.getLong();
      byte[] prefix = new byte[rest.getInt()];
      rest.get(prefix);
      if (index == digest) {
        prefixes.accept(prefix);
      }
    }
  }
}
