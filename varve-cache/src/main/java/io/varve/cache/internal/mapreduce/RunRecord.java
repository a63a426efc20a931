package io.varve.cache.internal.mapreduce;

import io.varve.cache.Marshaller;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// The layout of a key and its values in a run: of one record or more, so that neither writing nor
/// reading them needs memory for all values together.
///
/// | key of a record | bytes | meaning                                                             |
/// |-----------------|------:|---------------------------------------------------------------------|
/// | run             |     4 | number of the run                                                   |
/// | length          |     2 | of the key; 0xffff if a SHA-256 hash of it follows, since it is long |
/// | key or hash     |     n | the key as the marshaller wrote it, or its hash                     |
/// | part            | 0 or 4 | 1, 2, ... of the second and all further records of the key          |
///
/// Length and key are the *stored key*, by which a run is ordered. It shows where it ends: so the
/// records of a key follow each other, and no other key's between them.
///
/// | value of a record | bytes | meaning                                                             |
/// |-------------------|------:|---------------------------------------------------------------------|
/// | key               | 4 + n | length and key, in the first record of a key that is long           |
/// | value, ...        | 4 + n | for each value, its length and the value as the marshaller wrote it |
public final class RunRecord {
  /// Longer keys are stored by their hash.
  static final int KEY_BYTES_MAX = 3000;

  /// A record with so many bytes of values takes no more: it is small compared with the memory of a
  /// job, and large compared with a page.
  static final int VALUE_BYTES = 32 << 10;

  private static final int LONG_KEY = 0xffff;
  private static final int HASH_BYTES = 32;

  private RunRecord() {}

  private static boolean isLong(byte[] key) {
    return key.length > KEY_BYTES_MAX;
  }

  /// What a key is ordered by.
  ///
  /// @param key as the marshaller wrote it
  public static byte[] storedKey(byte[] key) {
    byte[] stored = isLong(key) ? hash(key) : key;
    return ByteBuffer.allocate(Short.BYTES + stored.length)
        .putShort((short) (isLong(key) ? LONG_KEY : key.length))
        .put(stored)
        .array();
  }

  /// The beginning of the keys of all records of a run.
  public static byte[] runPrefix(int run) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(run).array();
  }

  /// The key of a record.
  ///
  /// @param part 0 of the first record of a key
  public static byte[] recordKey(int run, byte[] storedKey, int part) {
    int partBytes = part == 0 ? 0 : Integer.BYTES;
    ByteBuffer key = ByteBuffer.allocate(Integer.BYTES + storedKey.length + partBytes);
    key.putInt(run).put(storedKey);
    if (part > 0) {
      key.putInt(part);
    }
    return key.array();
  }

  /// The stored key in the key of a record.
  public static byte[] storedKeyOf(byte[] recordKey) {
    return Arrays.copyOfRange(recordKey, Integer.BYTES, storedKeyEnd(recordKey));
  }

  /// Whether a record is not the first one of its key.
  public static boolean isPart(byte[] recordKey) {
    return recordKey.length > storedKeyEnd(recordKey);
  }

  private static int storedKeyEnd(byte[] recordKey) {
    int length = Short.toUnsignedInt(ByteBuffer.wrap(recordKey).getShort(Integer.BYTES));
    return Integer.BYTES + Short.BYTES + (length == LONG_KEY ? HASH_BYTES : length);
  }

  private static byte[] hash(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static boolean holdsKey(byte[] storedKey) {
    return Short.toUnsignedInt(ByteBuffer.wrap(storedKey).getShort()) != LONG_KEY;
  }

  /// The value of a record: as many values as make [#VALUE_BYTES], or all that are left.
  public static <K, V> byte[] recordValue(
      byte[] storedKey,
      int part,
      K key,
      Iterator<V> left,
      Marshaller<K> keys,
      Marshaller<V> values) {
    List<byte[]> parts = new ArrayList<>();
    int length = 0;
    if (part == 0 && !holdsKey(storedKey)) {
      byte[] whole = keys.toBytes(key);
      parts.add(whole);
      length = Integer.BYTES + whole.length;
    }
    int lengthMax = Math.addExact(length, VALUE_BYTES);
    while (length < lengthMax && left.hasNext()) {
      byte[] value = values.toBytes(left.next());
      parts.add(value);
      length = Math.addExact(length, Integer.BYTES + value.length);
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    parts.forEach(each -> buffer.putInt(each.length).put(each));
    return buffer.array();
  }

  /// The key of a first record.
  public static <K> K key(byte[] storedKey, byte[] value, Marshaller<K> keys) {
    return keys.fromBytes(
        holdsKey(storedKey)
            ? Arrays.copyOfRange(storedKey, Short.BYTES, storedKey.length)
            : takePart(ByteBuffer.wrap(value)));
  }

  /// The values in a first record, each to be taken by [#takePart]; other records hold nothing
  /// else.
  public static ByteBuffer values(byte[] storedKey, byte[] value) {
    ByteBuffer parts = ByteBuffer.wrap(value);
    if (!holdsKey(storedKey)) {
      takePart(parts);
    }
    return parts;
  }

  /// Takes what is next in the value of a record.
  public static byte[] takePart(ByteBuffer left) {
    byte[] part = new byte[left.getInt()];
    left.get(part);
    return part;
  }
}
