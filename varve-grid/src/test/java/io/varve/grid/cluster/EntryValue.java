package io.varve.grid.cluster;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The values that writers put: a reader sees of which key and write one is, and that no byte of it
/// is wrong.
final class EntryValue {
  private EntryValue() {}

  /// The value of a write, some hundred bytes long.
  static byte[] of(String key, long version) {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    long seed = version * 31 + key.hashCode();
    var random = new SplittableRandom(seed);
    byte[] value = new byte[Long.BYTES + name.length + random.nextInt(200, 1_000)];
    random.nextBytes(value);
    ByteBuffer.wrap(value).putLong(version).put(name);
    return value;
  }

  /// The version of a value that was found, [Operation#ABSENT] or [Operation#FOREIGN].
  static long version(String key, byte @org.jspecify.annotations.Nullable [] value) {
    if (value == null) {
      return Operation.ABSENT;
    }
    if (value.length < Long.BYTES) {
      return Operation.FOREIGN;
    }
    long version = ByteBuffer.wrap(value).getLong();
    return version > 0 && Arrays.equals(value, of(key, version)) ? version : Operation.FOREIGN;
  }
}
