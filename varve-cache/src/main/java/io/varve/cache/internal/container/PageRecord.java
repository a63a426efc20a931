package io.varve.cache.internal.container;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.cache.CacheException;

/// The layout of an entry of a cache in a space.
///
/// | key            | bytes | meaning                                                           |
/// |----------------|------:|-------------------------------------------------------------------|
/// | segment        |     2 | big-endian, so that a segment's keys lie together                 |
/// | whole          |     1 | 0 if the key follows, 1 if a SHA-256 hash of it, since it is long |
/// | key or hash    |       | as the marshaller wrote it                                        |
///
/// | value          | bytes | meaning                                                           |
/// |----------------|------:|-------------------------------------------------------------------|
/// | flags          |     1 | 1 if it expires, plus 2 if the key follows                        |
/// | end            |     8 | milliseconds since the epoch, if it expires                       |
/// | key            |  4 +n | length and key, if the key is long                                |
/// | value          |       | as the marshaller wrote it                                        |
final class PageRecord {
  /// Longer keys are stored by their hash.
  static final int KEY_BYTES_MAX = 3000;

  static final int SEGMENT_BYTES = 2;

  private static final byte EXPIRES = 1;
  private static final byte HAS_KEY = 2;

  private PageRecord() {}

  static byte[] key(int segment, byte[] key) {
    boolean isLong = key.length > KEY_BYTES_MAX;
    byte[] stored = isLong ? hash(key) : key;
    return ByteBuffer.allocate(SEGMENT_BYTES + 1 + stored.length)
        .putShort((short) segment)
        .put((byte) (isLong ? 1 : 0))
        .put(stored)
        .array();
  }

  /// The first key that a segment may have.
  static byte[] firstKey(int segment) {
    return new byte[] {(byte) (segment >>> 8), (byte) segment};
  }

  private static byte[] hash(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static byte[] value(byte[] key, byte[] value, long expiresAtMillis) {
    boolean expires = expiresAtMillis != Held.NEVER;
    boolean isLong = key.length > KEY_BYTES_MAX;
    int length =
        1 + (expires ? Long.BYTES : 0) + (isLong ? Integer.BYTES + key.length : 0) + value.length;
    ByteBuffer buffer = ByteBuffer.allocate(length);
    buffer.put((byte) ((expires ? EXPIRES : 0) | (isLong ? HAS_KEY : 0)));
    if (expires) {
      buffer.putLong(expiresAtMillis);
    }
    if (isLong) {
      buffer.putInt(key.length).put(key);
    }
    return buffer.put(value).array();
  }

  /// When a stored value ends.
  static long expiresAtMillis(byte[] stored) {
    return (stored[0] & EXPIRES) != 0 ? ByteBuffer.wrap(stored).getLong(1) : Held.NEVER;
  }

  /// The value as the marshaller wrote it.
  static byte[] valueBytes(byte[] stored) {
    int at = endOfEnd(stored);
    if ((stored[0] & HAS_KEY) != 0) {
      at += Integer.BYTES + ByteBuffer.wrap(stored).getInt(at);
    }
    return Arrays.copyOfRange(stored, at, stored.length);
  }

  /// The key as the marshaller wrote it.
  static byte[] keyBytes(byte[] storedKey, byte[] storedValue) {
    if (storedKey[SEGMENT_BYTES] == 0) {
      return Arrays.copyOfRange(storedKey, SEGMENT_BYTES + 1, storedKey.length);
    }
    if ((storedValue[0] & HAS_KEY) == 0) {
      throw new CacheException(
          "entry of a long key has no key: bytes=" + storedValue.length + "; verify the store");
    }
    ByteBuffer buffer = ByteBuffer.wrap(storedValue).position(endOfEnd(storedValue));
    byte[] key = new byte[buffer.getInt()];
    buffer.get(key);
    return key;
  }

  private static int endOfEnd(byte[] stored) {
    return (stored[0] & EXPIRES) != 0 ? 1 + Long.BYTES : 1;
  }
}
