package io.varve.cache.internal.container;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.cache.CacheException;

/// The layout of an entry of a cache in a space, and of its key in the index of ends.
///
/// | key of an entry | bytes | meaning                                                           |
/// |-----------------|------:|-------------------------------------------------------------------|
/// | segment         |     2 | big-endian, below 32768, so that a segment's keys are together    |
/// | whole           |     1 | 0 if the key follows, 1 if a SHA-256 hash of it, since it is long |
/// | key or hash     |       | as the marshaller wrote it                                        |
///
/// | value           | bytes | meaning                                                           |
/// |-----------------|------:|-------------------------------------------------------------------|
/// | flags           |     1 | 1 if it expires, plus 2 if the key follows                        |
/// | end             |     8 | milliseconds since the epoch, if it expires                       |
/// | key             | 4 + n | length and key, if the key is long                                |
/// | value           |       | as the marshaller wrote it                                        |
///
/// | index key       | bytes | meaning                                                           |
/// |-----------------|------:|-------------------------------------------------------------------|
/// | mark            |     1 | 0xff, above every segment                                         |
/// | end             |     8 | big-endian milliseconds, with the sign bit turned                 |
/// | key of an entry |       | the entry that ends then                                          |
final class PageRecord {
  /// Longer keys are stored by their hash.
  static final int KEY_BYTES_MAX = 3000;

  /// The first byte of every index key.
  static final byte PLACE = (byte) 0xff;

  private static final int SEGMENT_BYTES = 2;
  private static final int PLACE_BYTES = 1 + Long.BYTES;

  private static final byte EXPIRES = 1;
  private static final byte HAS_KEY = 2;

  private static final ValueLayout.OfLong END =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt KEY_LENGTH =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

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

  /// The segment of an entry.
  static int segment(byte[] storedKey) {
    require(storedKey.length > SEGMENT_BYTES, storedKey.length);
    return (storedKey[0] & 0xff) << 8 | (storedKey[1] & 0xff);
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
  static long expiresAtMillis(MemorySegment stored) {
    require(stored.byteSize() >= afterEnd(stored), stored.byteSize());
    return has(stored, EXPIRES) ? stored.get(END, 1) : Held.NEVER;
  }

  /// What is held: the value as the marshaller wrote it, and its end.
  ///
  /// @param changes [PageEntries#changes] from before it was read
  static Held held(MemorySegment stored, int changes) {
    long end = expiresAtMillis(stored);
    return new Held(valueBytes(stored).toArray(JAVA_BYTE), end, Held.Place.PAGES, changes);
  }

  /// The value as the marshaller wrote it, in place.
  static MemorySegment valueBytes(MemorySegment stored) {
    return stored.asSlice(valueOffset(stored));
  }

  /// The key as the marshaller wrote it.
  ///
  /// @param stored gives the stored value, which a long key alone needs
  static byte[] keyBytes(byte[] storedKey, Supplier<MemorySegment> stored) {
    require(storedKey.length > SEGMENT_BYTES, storedKey.length);
    if (storedKey[SEGMENT_BYTES] == 0) {
      return Arrays.copyOfRange(storedKey, SEGMENT_BYTES + 1, storedKey.length);
    }
    MemorySegment value = stored.get();
    require(has(value, HAS_KEY), value.byteSize());
    long start = afterEnd(value) + Integer.BYTES;
    return value.asSlice(start, valueOffset(value) - start).toArray(JAVA_BYTE);
  }

  private static boolean has(MemorySegment stored, byte flag) {
    require(stored.byteSize() > 0, 0);
    return (stored.get(JAVA_BYTE, 0) & flag) != 0;
  }

  private static long afterEnd(MemorySegment stored) {
    return has(stored, EXPIRES) ? 1 + Long.BYTES : 1;
  }

  /// Where the value begins in what is stored.
  private static long valueOffset(MemorySegment stored) {
    long at = afterEnd(stored);
    long bytes = stored.byteSize();
    if (!has(stored, HAS_KEY)) {
      require(at <= bytes, bytes);
      return at;
    }
    require(at + Integer.BYTES <= bytes, bytes);
    int keyLength = stored.get(KEY_LENGTH, at);
    require(keyLength >= 0 && keyLength <= bytes - at - Integer.BYTES, bytes);
    return at + Integer.BYTES + keyLength;
  }

  private static void require(boolean holds, long recordBytes) {
    if (!holds) {
      throw new CacheException(
          "a record of a cache makes no sense: bytes="
              + recordBytes
              + "; if nothing else changed the spaces of the cache, verify the store");
    }
  }

  /// The index key of an entry among the ends.
  static byte[] place(long endMillis, byte[] storedKey) {
    return ByteBuffer.allocate(PLACE_BYTES + storedKey.length)
        .put(PLACE)
        .putLong(endMillis ^ Long.MIN_VALUE)
        .put(storedKey)
        .array();
  }

  /// The end in an index key.
  static long placeEndMillis(byte[] place) {
    require(place.length >= PLACE_BYTES, place.length);
    return ByteBuffer.wrap(place).getLong(1) ^ Long.MIN_VALUE;
  }

  /// The key of the entry that has an index key.
  static byte[] placeKey(byte[] place) {
    require(place.length >= PLACE_BYTES, place.length);
    return Arrays.copyOfRange(place, PLACE_BYTES, place.length);
  }
}
