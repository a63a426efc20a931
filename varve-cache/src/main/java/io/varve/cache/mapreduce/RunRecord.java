package io.varve.cache.mapreduce;

import io.varve.cache.Marshaller;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// The layout of a key and its values in a run.
///
/// | stored key     | bytes | meaning                                                            |
/// |----------------|------:|--------------------------------------------------------------------|
/// | whole          |     1 | 0 if the key follows, 1 if a SHA-256 hash of it, since it is long  |
/// | key or hash    |       | as the marshaller wrote it                                         |
///
/// | stored value   | bytes | meaning                                                            |
/// |----------------|------:|--------------------------------------------------------------------|
/// | key            | 4 + n | length and key, if the key is long                                 |
/// | value, ...     | 4 + n | for each value, its length and the value as the marshaller wrote it |
final class RunRecord {
  /// Longer keys are stored by their hash.
  static final int KEY_BYTES_MAX = 3000;

  private RunRecord() {}

  private static boolean isLong(byte[] key) {
    return key.length > KEY_BYTES_MAX;
  }

  /// What a key is ordered by.
  ///
  /// @param key as the marshaller wrote it
  static byte[] storedKey(byte[] key) {
    byte[] stored = isLong(key) ? hash(key) : key;
    return ByteBuffer.allocate(1 + stored.length)
        .put((byte) (isLong(key) ? 1 : 0))
        .put(stored)
        .array();
  }

  private static byte[] hash(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static boolean holdsKey(byte[] storedKey) {
    return storedKey[0] == 0;
  }

  static <K, V> byte[] storedValue(
      byte[] storedKey, K key, Iterator<V> values, Marshaller<K> keys, Marshaller<V> marshaller) {
    List<byte[]> parts = new ArrayList<>();
    if (!holdsKey(storedKey)) {
      parts.add(keys.toBytes(key));
    }
    values.forEachRemaining(value -> parts.add(marshaller.toBytes(value)));
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, Integer.BYTES + part.length);
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    parts.forEach(part -> buffer.putInt(part.length).put(part));
    return buffer.array();
  }

  static <K> K key(byte[] storedKey, byte[] stored, Marshaller<K> keys) {
    return keys.fromBytes(
        holdsKey(storedKey)
            ? Arrays.copyOfRange(storedKey, 1, storedKey.length)
            : part(ByteBuffer.wrap(stored)));
  }

  /// The values, each made when it is asked for.
  static <V> Iterator<V> values(byte[] storedKey, byte[] stored, Marshaller<V> marshaller) {
    ByteBuffer rest = ByteBuffer.wrap(stored);
    if (!holdsKey(storedKey)) {
      part(rest);
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rest.hasRemaining();
      }

      @Override
      public V next() {
        return marshaller.fromBytes(part(rest));
      }
    };
  }

  private static byte[] part(ByteBuffer rest) {
    byte[] part = new byte[rest.getInt()];
    rest.get(part);
    return part;
  }
}
