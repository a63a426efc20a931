package io.varve.grid.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/// What is stored of a blob in addition to its bytes.
///
/// | offset | bytes | field      | meaning                                          |
/// |-------:|------:|------------|--------------------------------------------------|
/// |      0 |     1 | form       | [#FORM]; all integers are big-endian             |
/// |      1 |    16 | id         | of its parts                                     |
/// |     17 |     8 | length     | in bytes                                         |
/// |     25 |     8 | modified   | milliseconds since 1970                          |
/// |     33 |     - | type       | the `Content-Type`, in UTF-8                     |
///
/// (BLOBRECORD-1) No two have the same id. It begins with the time, so that new parts are next to
/// each other, and is random otherwise.
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record BlobRecord(byte[] id, long length, long modified, String type) {
  static final int ID_BYTES = 16;

  /// Of a part: as many as the engine has in one extent of a large value.
  static final int PART_BYTES = 1 << 20;

  private static final byte FORM = 1;
  private static final int HEADER_BYTES = 1 + ID_BYTES + 2 * Long.BYTES;
  private static final int RANDOM_BYTES = 10;
  private static final int TIME_SHIFT = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  /// An id that no blob has.
  static byte[] newId(long nowMillis) {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    byte[] id = new byte[ID_BYTES];
    ByteBuffer.wrap(id)
        .putLong(nowMillis << TIME_SHIFT)
        .position(ID_BYTES - RANDOM_BYTES)
        .put(random);
    return id;
  }

  /// The key of a part of the blob that has an id.
  static byte[] partKey(byte[] id, long number) {
    return ByteBuffer.allocate(id.length + Long.BYTES).put(id).putLong(number).array();
  }

  static BlobRecord of(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    if (stored.length < HEADER_BYTES || bytes.get() != FORM) {
      throw new IllegalStateException("a blob was stored by a later release; use that one");
    }
    byte[] id = new byte[ID_BYTES];
    bytes.get(id);
    long length = bytes.getLong();
    long modified = bytes.getLong();
    return new BlobRecord(id, length, modified, UTF_8.decode(bytes).toString());
  }

  byte[] toBytes() {
    byte[] text = type.getBytes(UTF_8);
    return ByteBuffer.allocate(HEADER_BYTES + text.length)
        .put(FORM)
        .put(id)
        .putLong(length)
        .putLong(modified)
        .put(text)
        .array();
  }

  /// A strong entity tag of HTTP: each write has one of its own.
  String tag() {
    return '"' + HexFormat.of().formatHex(id) + '"';
  }
}
